/** Labels of letters, digits, "-" and "_", of which the last is no number: that would be a mistyped IPv4 address. */
const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+\.?$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i

export function isHostName(text: string): boolean {
  return HOST_NAME.test(text)
}
