const LONGEST_EXTENSION = 10

/** How much of a name people change when they rename: all but the extension. Also of "a.tar.gz"; folders have none. */
export function stemLength(name: string, isDir: boolean): number {
  if (isDir) return name.length
  const double = /\.tar\.[a-z0-9]{1,4}$/i.exec(name)
  const dot = double?.index ?? name.lastIndexOf('.')
  return dot <= 0 || name.length - dot > LONGEST_EXTENSION ? name.length : dot
}
