import { posix } from 'node:path'
import type { ReportWriter } from '../filebrowser/import-report.ts'
import { booleanOf, integerOf, type OldRecord, textOf } from '../filebrowser/old-record.ts'
import type { QuantumConfig } from './quantum-config.ts'

/** Start-up values in the form of File Browser. @param root the folder that contains all sources */
export function convertServer({ sections, folder }: QuantumConfig, root: string, report: ReportWriter): OldRecord {
  // Release 2 moved the network settings to `http`.
  const given: OldRecord = { ...sections.server, ...sections.http }
  const text = (name: string) => textOf(given, name)
  const path = (name: string) => (text(name) === '' ? '' : posix.resolve(folder, text(name)))
  const baseURL = text('baseURL').replace(/^\/+|\/+$/g, '')
  const hours = integerOf(sections.auth, 'tokenExpirationHours')
  if (text('listen') === '' && text('socket') === '') {
    const advice = 'for others: filemgr server set address=0.0.0.0'
    report.add('lookAt', 'server address', `filemgr listens on 127.0.0.1, Quantum on all addresses; ${advice}`)
  }
  if (booleanOf(given, 'trustProxyHeaders') || 'trustedHeaders' in given) {
    report.add('lookAt', 'server trustProxyHeaders', 'name the proxy: filemgr server set trustedProxies=ADDRESS')
  }
  return {
    root,
    address: text('listen'),
    ...('port' in given && { port: given['port'] }),
    baseurl: baseURL === '' ? '' : `/${baseURL}`,
    publicurl: text('externalUrl'),
    socket: path('socket'),
    tlscert: path('tlsCert'),
    tlskey: path('tlsKey'),
    log: 'stdout',
    tokenexpirationtime: hours > 0 ? `${hours}h` : '',
    enablethumbnails: !booleanOf(given, 'disablePreviews'),
    resizepreview: !booleanOf(given, 'disablePreviewResize'),
    typedetectionbyheader: !booleanOf(given, 'disableTypeDetectionByHeader'),
  }
}
