import { describe, expect, it } from 'vitest'
import { liesInside, loadConfigFile, type ConfigSearch } from '../../../src/options/config-file.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const loadFrom = async (workingFolder: string, rest: Partial<ConfigSearch> = {}) =>
  await loadConfigFile({ workingFolder, environment: {}, ...rest })

describe('loadConfigFile', () => {
  it.each([
    ['filemgr.json', '{ "port": 9000, "baseURL": "/files", "trustedProxies": ["10.0.0.1"] }'],
    ['filemgr.yaml', 'port: 9000\nbaseURL: /files\ntrustedProxies: [10.0.0.1]\n'],
    ['.filebrowser.yml', 'port: "9000"\nbase-url: /files\ntrusted-proxies: 10.0.0.1\n'],
    ['.filebrowser.toml', 'port = 9000\nbaseURL = "/files"\ntrustedProxies = ["10.0.0.1"]\n'],
  ])('finds and reads %s', async (name, text) => {
    await using folder = await tempFolder({ [name]: text })
    const found = await loadFrom(folder.path)
    expect(found).toMatchObject({ path: folder.at(name), discovered: true })
    expect(found?.options).toEqual({ port: 9000, baseURL: '/files', trustedProxies: ['10.0.0.1'] })
  })

  it('prefers the working folder to the home folder', async () => {
    await using folder = await tempFolder({ 'work/filemgr.json': '{"port": 1}', 'home/filemgr.json': '{"port": 2}' })
    const environment = { HOME: folder.at('home') }
    expect((await loadFrom(folder.at('work'), { environment }))?.options.port).toBe(1)
    expect((await loadFrom(folder.path, { environment }))?.options.port).toBe(2)
  })

  it('reads the account of the first start, and skips what only File Browser needs', async () => {
    const text =
      '{"database": "fb.db", "redisCacheUrl": "r", "username": "eve", "password": "p", "noauth": true, "disableExec": false}'
    await using folder = await tempFolder({ 'filemgr.json': text })
    const found = await loadFrom(folder.path)
    expect(found).toMatchObject({ username: 'eve', password: 'p', options: { noAuth: true, enableExec: true } })
  })

  it('reads the cache folder and the number of image workers', async () => {
    await using folder = await tempFolder({ 'filemgr.json': '{"cacheDir": "/var/cache/fm", "imageProcessors": 2}' })
    expect((await loadFrom(folder.path))?.options).toEqual({ cacheDir: '/var/cache/fm', imageProcessors: 2 })
  })

  it.each([
    ['filemgr.yaml', 'socketPerm: 0600'],
    ['filemgr.yaml', 'socketPerm: 0o600'],
    ['filemgr.yaml', 'socketPerm: 600'],
    ['filemgr.toml', 'socketPerm = 0o600'],
    ['filemgr.json', '{"socketPerm": "0600"}'],
  ])('reads the same octal mode from %s with %s', async (name, text) => {
    await using folder = await tempFolder({ [name]: text })
    expect(Number.parseInt((await loadFrom(folder.path))?.options.socketPerm ?? '', 8)).toBe(0o600)
  })

  it('refuses a named file that is missing', async () => {
    await using folder = await tempFolder()
    await expect(loadFrom(folder.path, { named: 'no.yaml' })).rejects.toThrow(
      `config file ${folder.at('no.yaml')} does not exist`,
    )
  })

  it.each([
    ['a.json', '{\n  "port": 9000,\n}', 3],
    ['a.yaml', 'port: 9000\nport: 9001\n', 2],
    ['a.toml', 'port = 9000\naddress = \n', 2],
    ['b.yaml', '# ours\nport: many\n', 2],
    ['b.json', '{\n  "address": "::1",\n  "prot": 9000\n}', 3],
  ])('names the line of a mistake in %s', async (name, text, line) => {
    await using folder = await tempFolder({ [name]: text })
    await expect(loadFrom(folder.path, { named: name })).rejects.toThrow(`${folder.at(name)} line ${line}: `)
  })

  it('suggests the name that was meant', async () => {
    await using folder = await tempFolder({ 'a.json': '{"prot": 9000}' })
    await expect(loadFrom(folder.path, { named: 'a.json' })).rejects.toThrow(
      'unknown option "prot"; did you mean "port"?',
    )
  })
})

describe('liesInside', () => {
  const file = { path: '/srv/files/filemgr.yaml', discovered: true, options: {} }

  it('is true for a file in the served folder or beneath it', () => {
    expect(liesInside(file, '/srv/files')).toBe(true)
    expect(liesInside(file, '/')).toBe(true)
  })

  it('is false beside it', () => {
    expect(liesInside(file, '/srv/files/docs')).toBe(false)
    expect(liesInside(file, '/srv/file')).toBe(false)
  })
})
