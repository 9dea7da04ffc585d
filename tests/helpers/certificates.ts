import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { TempFolder } from './temp-folder.ts'

export interface TestCertificates {
  /** The certificate (PEM) of the authority that has signed the other. */
  readonly ca: string
  /** Files of the certificate for localhost and 127.0.0.1, and its key. */
  readonly files: { readonly ca: string; readonly cert: string; readonly key: string }
}

/** Makes an authority, and a certificate that it has signed. Needs openssl. */
export async function makeCertificates(
  folder: TempFolder,
  names = 'DNS:localhost,IP:127.0.0.1',
): Promise<TestCertificates> {
  const [ca, caKey, cert, key] = ['ca.crt', 'ca.key', 'server.crt', 'server.key'].map((name) => folder.at(name)) as [
    string,
    string,
    string,
    string,
  ]
  const make = async (...args: string[]) =>
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2'],
      ...args,
    ])
  await make('-subj', '/CN=test authority', '-keyout', caKey, '-out', ca)
  const signed = [
    '-CA',
    ca,
    '-CAkey',
    caKey,
    '-addext',
    `subjectAltName=${names}`,
    '-addext',
    'basicConstraints=CA:FALSE',
  ]
  await make('-subj', '/CN=directory', ...signed, '-keyout', key, '-out', cert)
  return { ca: await readFile(ca, 'utf8'), files: { ca, cert, key } }
}
