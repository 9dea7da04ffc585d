import { readFile } from 'node:fs/promises'
import type { Provider } from '../../../domain/accounts/provider.ts'
import { fail } from '../../../domain/errors.ts'

/** Bytes. */
const MAX_SIZE = 4096

/** The secret of a provider, wherever it is kept. Read each time, so that a new one counts without a restart. @throws UNAVAILABLE */
export async function secretOf({ name, secret, secretFile, secretVariable }: Readonly<Provider>): Promise<string> {
  if (secretVariable !== '') {
    const value = process.env[secretVariable]
    if (value === undefined || value === '') failMissing(name, `the variable ${secretVariable} is not set`)
    return value
  }
  if (secretFile === '') return secret
  const text = await readFile(secretFile, 'utf8').catch((cause: unknown) =>
    failMissing(name, 'its file cannot be read', cause),
  )
  const value = text.trimEnd()
  if (value === '' || value.length > MAX_SIZE) failMissing(name, 'its file has no secret')
  return value
}

function failMissing(name: string, why: string, cause?: unknown): never {
  return fail('UNAVAILABLE', `the secret of ${name} is missing: ${why}`, { reason: 'secretMissing' }, { cause })
}
