import { execFileSync } from 'node:child_process'
import type { TempFolder } from './temp-folder.ts'

/** Writes a certificate for 127.0.0.1 and its key into the folder. */
export function selfSigned(folder: TempFolder, name = 'tls'): { cert: string; key: string } {
  const [cert, key] = [folder.at(`${name}.crt`), folder.at(`${name}.key`)]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', [...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'pipe' })
  return { cert, key }
}
