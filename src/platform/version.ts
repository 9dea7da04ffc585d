import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of a file of this package. */
export function packageFile(name: string): string {
  // Two folders up, from src/platform as from dist/bundle.
  return fileURLToPath(new URL(`../../${name}`, import.meta.url))
}

/** Whether the first version, such as "1.10.0", is newer than the second. Only its numbers count. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split('.').map((part) => Number.parseInt(part, 10) || 0))
  const differing = a?.findIndex((part, index) => part !== (b?.[index] ?? 0)) ?? -1
  return differing >= 0 && (a?.[differing] ?? 0) > (b?.[differing] ?? 0)
}

/** The version of this package. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
}
