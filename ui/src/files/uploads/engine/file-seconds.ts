/**
 * The modification time of a file as the server takes it: in seconds since 1970, to the microsecond, and negative before. Never
 * with an exponent, which very small numbers would have.
 */
export function secondsOf({ lastModified }: Pick<File, 'lastModified'>): string {
  return (lastModified / 1000).toFixed(6).replace(/\.?0+$/, '')
}
