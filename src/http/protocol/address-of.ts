/** Who asks: the IP address, or "" on a unix socket and once the client has gone, where the framework says undefined. */
export function addressOf({ ip }: { readonly ip: string | undefined }): string {
  return ip ?? ''
}
