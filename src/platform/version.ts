import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of a file of this package. */
export function packageFile(name: string): string {
  // The relative path is the same from src/ and dist/.
  return fileURLToPath(new URL(`../../${name}`, import.meta.url))
}

/** The version of this package. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
}
