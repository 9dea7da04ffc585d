import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { type TestCertificates, makeCertificates } from './certificates.ts'
import { freePort } from './free-port.ts'
import type { TempFolder } from './temp-folder.ts'

/** A directory (OpenLDAP) of its own, on loopback ports. Disposing stops it. */
export interface TestDirectory extends AsyncDisposable {
  /** The address that begins with ldap://, which also takes StartTLS. */
  readonly url: string
  /** The address that begins with ldaps://. */
  readonly tlsUrl: string
  readonly caFile: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops it from answering, without closing anything. */
  freeze(): Promise<void>
  thaw(): void
  /** Changes entries, by LDIF, as its administrator. */
  modify(ldif: string): Promise<void>
}

const DIRECTORY_ADMIN = { dn: 'cn=root,dc=example,dc=org', password: 'password of root' }

/** @param more lines of its configuration, within the database */
export async function startDirectory(folder: TempFolder, ldif: string, more = ''): Promise<TestDirectory> {
  const files = await makeCertificates(folder)
  await folder.fill({ 'slapd.conf': configOf(folder, files, more), 'entries.ldif': ldif, 'database/': '' })
  const config = ['-f', folder.at('slapd.conf')]
  await promisify(execFile)('/usr/sbin/slapadd', [...config, '-l', folder.at('entries.ldif')])
  const [port, tlsPort] = [await freePort(), await freePort()]
  const [url, tlsUrl] = [`ldap://127.0.0.1:${port}`, `ldaps://127.0.0.1:${tlsPort}`]
  let stop: (() => Promise<void>) | undefined
  let pid = 0

  const start = async (): Promise<void> => {
    const child = spawn('/usr/sbin/slapd', [...config, '-h', `${url} ${tlsUrl}`, '-d', '0'], { stdio: 'ignore' })
    const ended = once(child, 'close')
    pid = child.pid ?? 0
    stop = async () => {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await ended
    }
    await vi.waitUntil(async () => await isListening(port), { timeout: 60_000 })
  }

  await start()
  return {
    url,
    tlsUrl,
    caFile: files.ca,
    start,
    async freeze() {
      process.kill(pid, 'SIGSTOP')
      await vi.waitUntil(async () => await isStopped(pid), { timeout: 60_000 })
    },
    thaw: () => process.kill(pid, 'SIGCONT'),
    async stop() {
      await stop?.()
      stop = undefined
    },
    async modify(changes) {
      await folder.fill({ 'changes.ldif': changes })
      const { dn, password } = DIRECTORY_ADMIN
      const line = ['-x', '-H', url, '-D', dn, '-w', password, '-f', folder.at('changes.ldif')]
      await promisify(execFile)('ldapmodify', line)
    },
    async [Symbol.asyncDispose]() {
      await stop?.()
    },
  }
}

/** A signal stops one thread after the other. */
async function isStopped(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`)
  const states = await Promise.all(
    threads.map(async (thread) => await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')),
  )
  return states.every((state) => state.slice(state.lastIndexOf(')')).includes(' T '))
}

/** Includes the attributes of Active Directory that identify people, which OpenLDAP does not have. */
const configOf = ({ at }: TempFolder, { ca, cert, key }: TestCertificates, more: string) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.4203.666.11.1 NAME 'windowsUser' AUXILIARY MUST ( objectGUID $ sAMAccountName ) )
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile ${at('slapd.pid')}
TLSCACertificateFile ${ca}
TLSCertificateFile ${cert}
TLSCertificateKeyFile ${key}
TLSVerifyClient never
database mdb
suffix "dc=example,dc=org"
rootdn "${DIRECTORY_ADMIN.dn}"
rootpw "${DIRECTORY_ADMIN.password}"
directory ${at('database')}
${more}
`

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
