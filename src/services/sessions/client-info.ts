/** Who is at the other end of a connection, as sessions show it and throttling counts it. */
export interface ClientInfo {
  /** IP address; empty for a unix socket. */
  readonly address: string
  readonly userAgent: string
}
