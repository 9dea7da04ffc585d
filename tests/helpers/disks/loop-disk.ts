import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/**
 * Creates an ext4 file system in the file `image` and mounts it at the new folder `path`. Needs root.
 *
 * @param options for mount
 * @param format options for mkfs.ext4
 */
export function mountNewDisk(
  image: string,
  path: string,
  options: readonly string[] = [],
  { size = '512M', format = [] }: { size?: string; format?: readonly string[] } = {},
): void {
  execFileSync('truncate', ['-s', size, image])
  execFileSync('mkfs.ext4', ['-q', ...format, image])
  mkdirSync(path)
  mountImage(image, path, options)
}

export function mountImage(image: string, path: string, options: readonly string[] = []): void {
  execFileSync('mount', ['-o', ['loop', ...options].join(','), image, path])
}
