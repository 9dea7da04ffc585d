import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { isFilemgrError } from '../../domain/errors.ts'
import { type DaemonAccount, describeLack } from './daemon-account.ts'
import { advice, type Check, fault, type Finding, type DoctorContext, skip } from './doctor-context.ts'

/** A daemon that hangs still holds its port and its data folder. */
export const daemonCheck: Check = {
  name: 'daemon',
  title: 'Daemon: answers',
  async run({ folder, daemon }: DoctorContext) {
    if (daemon === undefined) return skip('no daemon is running on this data folder')
    const { requireAnswer } = await import('../../context/daemon-record.ts')
    try {
      await requireAnswer(folder, daemon)
      return []
    } catch (error) {
      if (isFilemgrError(error, 'DAEMON_NOT_RUNNING')) return skip('it has just ended')
      if (!isFilemgrError(error)) throw error
      const [problem = '', fix = 'restart it'] = error.message.split('; ')
      return [fault(problem, fix)]
    }
  },
}

export const portCheck: Check = {
  name: 'port',
  title: 'Address and port',
  async run({ options, daemon }: DoctorContext) {
    if (daemon !== undefined) return skip(`the daemon (pid ${daemon.pid}) already listens at ${daemon.url}`)
    // Probing a socket would remove it.
    if (options.socket !== '') return skip('filemgr listens on a Unix socket')
    const { probeAddress } = await import('../../daemon/listen.ts')
    try {
      await probeAddress(options)
      return []
    } catch (error) {
      if (!isFilemgrError(error)) throw error
      const fix = 'stop the program that uses it (ss -ltnp shows which), or: filemgr server set port=NUMBER'
      return [fault(error.message, fix)]
    }
  },
}

const DAY = 86_400_000
const WARN_BEFORE_EXPIRY = 14 * DAY

export const tlsCheck: Check = {
  name: 'tls',
  title: 'TLS certificate and key',
  async run({ options: { cert, key }, now, account }: DoctorContext) {
    if (cert === '' && key === '') return skip('TLS is not enabled')
    if (cert === '' || key === '') {
      return [fault('only the certificate or only the key is set', 'filemgr server set cert=FILE key=FILE')]
    }
    const [certificate, privateKey] = await Promise.all([
      readFile(cert).then(parseCertificate, unreadable),
      readFile(key).then(parseKey, unreadable),
    ])
    const broken = [problemWith(cert, certificate, 'certificate'), problemWith(key, privateKey, 'private key')]
    if (typeof certificate === 'string' || typeof privateKey === 'string') return broken.flat()
    return [
      ...datesOf(certificate, now, cert),
      ...(certificate.checkPrivateKey(privateKey) ? [] : [mismatch(cert, key)]),
      ...(await openKey(key)),
      ...(await Promise.all([cert, key].map(async (path) => await unreadFor(account, path)))).flat(),
    ]
  },
}

const unreadable = (error: NodeJS.ErrnoException) => `cannot be read (${error.code ?? 'unknown error'})`

/** The certificate, or what is wrong with it. */
function parseCertificate(bytes: Buffer) {
  try {
    return new X509Certificate(bytes)
  } catch {
    return 'is not a PEM certificate'
  }
}

/** The key, or what is wrong with it. */
function parseKey(bytes: Buffer) {
  try {
    return createPrivateKey(bytes)
  } catch {
    return 'is not a PEM key'
  }
}

function problemWith(path: string, found: unknown, kind: string): Finding[] {
  return typeof found === 'string' ? [fault(`${path} ${found}`, `choose the file of the ${kind}`)] : []
}

function datesOf({ validFrom, validTo }: X509Certificate, now: number, path: string): Finding[] {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  if (now > to) return [fault(`${path} expired on ${validTo}`, 'renew the certificate and restart')]
  if (now < from)
    return [fault(`${path} is not valid before ${validFrom}`, 'check the clock, or use another certificate')]
  return now > to - WARN_BEFORE_EXPIRY ? [advice(`${path} expires on ${validTo}`, 'renew it soon')] : []
}

function mismatch(cert: string, key: string): Finding {
  return fault(`${key} is not the key of ${cert}`, 'choose a certificate and key that belong together')
}

async function unreadFor(account: DaemonAccount, path: string): Promise<Finding[]> {
  const lack = await account.lacks(path, 'read')
  return lack === undefined ? [] : [fault(describeLack(account, lack), `setfacl -m u:${account.name}:r ${path}`)]
}

async function openKey(path: string): Promise<Finding[]> {
  const { mode } = await stat(path)
  return (mode & 0o007) === 0 ? [] : [fault(`every user of this machine can read ${path}`, `chmod o= ${path}`)]
}
