import { expect, it } from 'vitest'
import { protectedPathsOf } from '../../../src/context/protected-paths.ts'
import { defaultsOf } from '../../../src/domain/schema/schema-tools.ts'
import { ServerOptions } from '../../../src/domain/server/server-options.ts'
import { freshSettings } from '../../../src/services/server/setup.ts'

const PLAIN = {
  dataFolder: undefined,
  options: defaultsOf(ServerOptions),
  configFile: undefined,
  settings: freshSettings(),
}

it('the files of the daemon are protected wherever its options put them', () => {
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
  const protectedPaths = protectedPathsOf({ dataFolder: '/data', options, configFile: '/filemgr.json', settings })
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
  expect(protectedPaths).toEqual(expect.arrayContaining(['/proc', ...named]))
  expect(protectedPaths).not.toContain('/cache')
})

it('only /proc is protected if the options name no files', () => {
  expect(protectedPathsOf(PLAIN)).toEqual(['/proc'])
  expect(protectedPathsOf({ ...PLAIN, options: { ...PLAIN.options, log: '' } })).toEqual(['/proc'])
})
