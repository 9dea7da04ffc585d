import type { Provider } from '../../../domain/accounts/provider.ts'
import { fail } from '../../../domain/errors.ts'
import { readSecretFile } from '../../../platform/files/secret-file.ts'

/** The secret of a provider, wherever it is kept. Read each time, so that a new one counts without a restart. @throws UNAVAILABLE */
export async function secretOf({ name, secret, secretFile, secretVariable }: Readonly<Provider>): Promise<string> {
  if (secretVariable !== '') {
    const value = process.env[secretVariable]
    if (value === undefined || value === '') failMissing(name, `the variable ${secretVariable} is not set`)
    return value
  }
  if (secretFile === '') return secret
  const value = await readSecretFile(secretFile).catch((cause: unknown) =>
    failMissing(name, 'its file cannot be read', cause),
  )
  return value ?? failMissing(name, 'its file has no secret')
}

function failMissing(name: string, why: string, cause?: unknown): never {
  return fail('UNAVAILABLE', `the secret of ${name} is missing: ${why}`, { reason: 'secretMissing' }, { cause })
}
