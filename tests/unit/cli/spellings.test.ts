import { Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { optionsOf } from '../../../src/cli/program/schema-options.ts'
import { normaliseFlags } from '../../../src/cli/line/program.ts'
import { ServerOptions } from '../../../src/domain/server/server-options.ts'
import { Settings } from '../../../src/domain/settings/settings.ts'
import { UserPatch } from '../../../src/domain/accounts/user.ts'

const options = [...optionsOf(ServerOptions), new Option('--json'), new Option('-y, --yes'), new Option('--no-color')]
const normalise = (...line: string[]) => normaliseFlags(line, options)

describe('normaliseFlags', () => {
  it.each([
    ['--baseURL', '/x', ['--base-url', '/x']],
    ['--baseurl', '/x', ['--base-url', '/x']],
    ['-p', '9000', ['--port', '9000']],
  ])('turns %s into its usual spelling', (flag, value, expected) => {
    expect(normalise(flag, value)).toEqual(expected)
  })

  it('accepts a value after "=" and directly after the letter', () => {
    expect(normalise('--tokenExpirationTime=1h', '-p9000', '-r=/srv')).toEqual([
      '--token-expiration-time=1h',
      '--port=9000',
      '--root=/srv',
    ])
  })

  it('gives every boolean its value, so that a folder after it stays a folder', () => {
    expect(normalise('--read-only', '.')).toEqual(['--read-only=true', '.'])
    expect(normalise('--no-read-only', '--readOnly=false')).toEqual(['--read-only=false', '--read-only=false'])
  })

  it('takes --no-auth for the name of an option, not for a negation', () => {
    expect(normalise('--noauth', '--no-auth-remote')).toEqual(['--no-auth=true', '--no-auth-remote=true'])
  })

  it('turns --disableExec into --enable-exec with the opposite value', () => {
    expect(normalise('--disableExec=false')).toEqual(['--enable-exec=true'])
    expect(normalise('--disable-exec')).toEqual(['--enable-exec=false'])
  })

  it('leaves plain flags, values that look like flags, and what follows "--" alone', () => {
    expect(normalise('--json', '-y', '--no-color')).toEqual(['--json', '--yes', '--no-color'])
    expect(normalise('--root', '--noauth')).toEqual(['--root', '--noauth'])
    expect(normalise('--', '--noauth')).toEqual(['--', '--noauth'])
  })

  it('knows the dotted names of accounts and settings', () => {
    expect(
      normaliseFlags(['--perm.create=false', '--perm.admin', '--aceEditorTheme', 'x'], optionsOf(UserPatch)),
    ).toEqual(['--perm.create=false', '--perm.admin=true', '--ace-editor-theme', 'x'])
    expect(normaliseFlags(['--tus.chunkSize=1MB'], optionsOf(Settings))).toEqual(['--tus.chunk-size=1MB'])
  })
})
