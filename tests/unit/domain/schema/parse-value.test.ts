import { describe, expect, it } from 'vitest'
import { formatValue, parseValue, parseWritten, writtenForm } from '../../../../src/domain/schema/parse-value.ts'
import { leaves } from '../../../../src/domain/schema/schema-tools.ts'
import { ServerOptions } from '../../../../src/domain/server/server-options.ts'
import { Settings } from '../../../../src/domain/settings/settings.ts'

const known = [...leaves(Settings), ...leaves(ServerOptions)]

function leafOf(key: string) {
  const leaf = known.find((candidate) => candidate.key === key)
  if (leaf === undefined) throw new Error(`no leaf ${key}`)
  return leaf
}

describe('parseValue', () => {
  it.each([
    ['signup', 'true', true],
    ['signup', 'off', false],
    ['port', '9000', 9000],
    ['tus.chunkSize', '20MB', 20_971_520],
    ['fileMode', '0640', 0o640],
    ['fileMode', '0o600', 0o600],
    ['dirMode', '2775', 0o2775],
    ['dirMode', '02775', 0o2775],
    ['dirMode', '1777', 0o1777],
    ['sessionMaxAge', '30d', '30d'],
    ['shell', '/bin/sh -c', ['/bin/sh', '-c']],
    ['trustedProxies', '10.0.0.1, 10.1.0.0/16', ['10.0.0.1', '10.1.0.0/16']],
    ['shell', '["/bin/my shell"]', ['/bin/my shell']],
    ['shell', '', []],
    ['branding.name', ' Our files ', ' Our files '],
    ['defaults.viewMode', 'mosaic gallery', 'mosaic gallery'],
  ])('reads %s=%s', (key, text, value) => {
    expect(parseValue(leafOf(key), text)).toEqual(value)
  })

  it.each([
    ['signup', 'maybe', 'signup must be true or false, not "maybe"'],
    ['port', '8o8o', 'port must be a whole number, not "8o8o"'],
    ['port', '70000', 'port must be between 0 and 65535, not "70000"'],
    ['tus.chunkSize', 'big', 'tus.chunkSize must be a size such as 20MiB, not "big"'],
    ['tus.chunkSize', '0', 'tus.chunkSize must be at least 1, not "0"'],
    ['fileMode', '2644', 'fileMode must be between 0000 and 0777, not "2644"'],
    ['dirMode', '4755', 'dirMode must be between 0000 and 3777, not "4755"'],
    ['fileMode', '0888', 'fileMode must be an octal mode such as 0640, not "0888"'],
    ['sessionMaxAge', 'soon', 'sessionMaxAge must be a duration such as 30m, 2h30m or 7d, not "soon"'],
    ['authMethod', 'ldap', 'authMethod must be one of json, proxy, hook, noauth, not "ldap"'],
    ['baseURL', 'files', 'baseURL must look like /files, not "files"'],
    ['branding.name', 'x'.repeat(101), 'branding.name must not be longer than 100 characters'],
  ])('refuses %s=%s and says what would be right', (key, text, message) => {
    expect(() => parseValue(leafOf(key), text)).toThrow(message)
  })

  it('names the option as the person wrote it', () => {
    expect(() => parseValue(leafOf('port'), 'x', 'FILEMGR_PORT')).toThrow(/^FILEMGR_PORT must be/)
  })
})

describe('formatValue', () => {
  it.each(['tus.chunkSize', 'fileMode', 'signup', 'shell', 'port', 'branding.theme'])(
    'writes the default of %s so that it reads back',
    (key) => {
      const leaf = leafOf(key)
      expect(parseValue(leaf, formatValue(leaf, leaf.schema.default))).toEqual(leaf.schema.default)
    },
  )
})

describe('a value in a file', () => {
  it.each([
    ['fileMode', '0640', 0o640],
    ['fileMode', 0o640, 0o640],
    ['tus.chunkSize', '20MB', 20_971_520],
    ['sessionMaxAge', '30d', '30d'],
  ])('%s reads %j', (key, written, value) => {
    expect(parseWritten(leafOf(key), written)).toBe(value)
  })

  it('refuses a mode that lacks its quotes', () => {
    expect(() => parseWritten(leafOf('fileMode'), 640)).toThrow(
      'fileMode must be an octal mode such as 0640 in quotes, not 640',
    )
  })

  it('is written in its readable form', () => {
    expect(writtenForm(leafOf('fileMode'), 0o640)).toBe('0640')
    expect(writtenForm(leafOf('tus.chunkSize'), 20_971_520)).toBe('20MiB')
    expect(writtenForm(leafOf('trash.days'), 30)).toBe(30)
  })
})
