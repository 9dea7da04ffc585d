import { expect, it } from 'vitest'
import { protectedPathsOf } from '../../../src/context/protected-paths.ts'
import { defaultsOf } from '../../../src/domain/schema/schema-tools.ts'
import { ServerOptions } from '../../../src/domain/settings/server-options.ts'
import { freshSettings } from '../../../src/services/settings/setup.ts'

const PLAIN = {
  dataFolder: undefined,
  options: defaultsOf(ServerOptions),
  configFile: undefined,
  settings: freshSettings(),
}

it('what belongs to the daemon is closed wherever its options put it', () => {
  const options = {
    ...PLAIN.options,
    cert: '/c.pem',
    key: '/k.pem',
    socket: '/s',
    log: '/l.log',
    cacheDir: '/cache',
    accessLog: '/a.log',
  }
  const settings = freshSettings()
  settings.branding.files = '/brand'
  const closed = protectedPathsOf({ dataFolder: '/data', options, configFile: '/filemgr.json', settings })
  const named = [
    '/data',
    '/filemgr.json',
    '/c.pem',
    '/k.pem',
    '/s',
    '/cache/thumbnails',
    '/brand',
    '/l.log',
    '/l.log.9',
    '/a.log',
    '/a.log.9',
  ]
  expect(closed).toEqual(expect.arrayContaining(['/proc', ...named]))
  expect(closed).not.toContain('/cache')
})

it('nothing is closed that is not named', () => {
  expect(protectedPathsOf(PLAIN)).toEqual(['/proc'])
  expect(protectedPathsOf({ ...PLAIN, options: { ...PLAIN.options, log: '' } })).toEqual(['/proc'])
})
