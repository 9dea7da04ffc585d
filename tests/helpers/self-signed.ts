import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TempFolder } from './temp-folder.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/tls')

/** Copies a certificate for 127.0.0.1, valid for a hundred years from November 2026, and its key into the folder. */
export function selfSigned(folder: TempFolder, name: 'tls' | 'other' = 'tls'): { cert: string; key: string } {
  const [cert, key] = [folder.at(`${name}.crt`), folder.at(`${name}.key`)]
  copyFileSync(join(FIXTURES, `${name}.crt`), cert)
  copyFileSync(join(FIXTURES, `${name}.key`), key)
  chmodSync(key, 0o600)
  return { cert, key }
}
