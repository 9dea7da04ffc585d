import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requireRoot } from '../../../src/cli/service/system.ts'
import { type UnitInput, unitText } from '../../../src/cli/service/unit.ts'
import { errorLike } from '../../helpers/unit/error-like.ts'

const template = await readFile(join(import.meta.dirname, '../../../docs/deploy/filemgr.service'), 'utf8')

const PLAIN: UnitInput = {
  account: 'filemgr',
  program: '/opt/filemgr/bin/filemgr',
  dataFolder: '/var/lib/filemgr',
  root: '/srv/files',
  given: {},
  workingFolder: '/srv/etc',
}

/** The values of a key in the unit of this installation, in order. */
function valuesOf(key: string, input: Partial<UnitInput> = {}): string[] {
  const lines = unitText(template, { ...PLAIN, ...input }).split('\n')
  return lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))
}

describe('the unit of an installation', () => {
  it('equals the unit in docs/deploy for an installation in the same folders', () => {
    const text = unitText(template, { ...PLAIN, program: '/usr/local/bin/filemgr' })
    expect(text).toBe(template)
  })

  it('has the given options, with absolute paths', () => {
    const given = { port: 9000, readOnly: true, trustedProxies: ['10.0.0.1', '::1'], cert: 'a.pem', key: '/k.pem' }
    expect(valuesOf('ExecStart', { given, configFile: '/etc/filemgr.yaml' })).toEqual([
      '/opt/filemgr/bin/filemgr --data /var/lib/filemgr --config /etc/filemgr.yaml serve /srv/files --port=9000 ' +
        '--cert=/srv/etc/a.pem --key=/k.pem --trusted-proxies=10.0.0.1,::1 --read-only=true',
    ])
  })

  it('may write only to the folders that its options name', () => {
    const given = { log: '/var/log/filemgr/a.log', socket: '/run/filemgr/a.sock', cacheDir: '/mnt/cache' }
    const input = { given, dataFolder: '/mnt/data' }
    expect(valuesOf('ReadWritePaths', input)).toEqual(['/srv/files /mnt/data /mnt/cache'])
    expect(valuesOf('StateDirectory', input)).toEqual([])
    expect(valuesOf('LogsDirectory', input)).toEqual(['filemgr'])
    expect(valuesOf('RuntimeDirectory', input)).toEqual(['filemgr'])
    expect(valuesOf('CacheDirectory', input)).toEqual(['filemgr'])
  })

  it('has the right to a port below 1024 only if it uses one', () => {
    expect(valuesOf('CapabilityBoundingSet')).toEqual([''])
    for (const key of ['CapabilityBoundingSet', 'AmbientCapabilities']) {
      expect(valuesOf(key, { given: { port: 443 } })).toEqual(['CAP_NET_BIND_SERVICE'])
      expect(valuesOf(key, { given: { port: 443, socket: '/run/filemgr.sock' } })).toEqual([''])
    }
  })

  it('sees home folders and temporary files only if one of its folders is there', () => {
    expect([valuesOf('ProtectHome'), valuesOf('PrivateTmp')]).toEqual([['yes'], ['yes']])
    expect(valuesOf('ProtectHome', { root: '/home/eve' })).toEqual(['read-only'])
    expect(valuesOf('ProtectHome', { root: '/homes' })).toEqual(['yes'])
    expect(valuesOf('PrivateTmp', { root: '/tmp/files' })).toEqual(['no'])
  })

  it('quotes special characters in paths', () => {
    const root = String.raw`/srv/a b"c\d%e$f;g`
    expect(valuesOf('ReadWritePaths', { root })).toEqual([String.raw`"/srv/a b\"c\\d%%e$f;g"`])
    expect(valuesOf('ExecStart', { root })[0]).toContain(String.raw`serve "/srv/a b\"c\\d%%e$$f;g"`)
  })

  it('refuses a path or account name that would add a line or an option', () => {
    const refused = errorLike('INVALID_INPUT')
    for (const input of [{ root: '/srv\nUser=root' }, { account: 'a\nUser=root' }, { account: '-x' }]) {
      expect(() => unitText(template, { ...PLAIN, ...input })).toThrow(refused)
    }
  })
})

it('only root may change the services of a machine', () => {
  expect(() => requireRoot('install', 1000)).toThrow('sudo')
  expect(() => requireRoot('install', 0)).not.toThrow()
})
