import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TempFolder } from './temp-folder.ts'

/** Files: the certificate of an authority, a certificate that it has signed, and the key of that. */
export interface TestCertificates {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

/** Makes an authority, and a certificate for localhost. Needs openssl. */
export async function makeCertificates({ at }: TempFolder): Promise<TestCertificates> {
  const [ca, caKey, cert, key] = [at('ca.crt'), at('ca.key'), at('server.crt'), at('server.key')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const make = async (...args: string[]) =>
    await promisify(execFile)('openssl', ['req', '-x509', '-nodes', ...curve, '-days', '2', ...args])
  await make('-subj', '/CN=test authority', '-keyout', caKey, '-out', ca)
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-addext', 'basicConstraints=CA:FALSE']
  await make('-subj', '/CN=directory', '-CA', ca, '-CAkey', caKey, ...names, '-keyout', key, '-out', cert)
  return { ca, cert, key }
}
