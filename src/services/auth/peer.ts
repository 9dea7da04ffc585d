/** Who handed a request over, for the way to sign in that believes a proxy. */
export interface Peer {
  /** Of the connection itself, whatever headers say; undefined on a unix socket. */
  readonly address: string | undefined
  /** All values of a header: one that comes twice was smuggled in beside the proxy's. */
  header(name: string): readonly string[]
}

/** Of a request that came from nowhere, such as a sign-in by a program of ours. */
export const NO_PEER: Peer = { address: '0.0.0.0', header: () => [] }
