import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { needsPrograms } from '../helpers/needs.ts'

needsPrograms('mandoc')

const run = promisify(execFile)
const folder = join(import.meta.dirname, '../../docs/reference/man')

it('mandoc reports nothing about the manual', async () => {
  const paths = (await readdir(folder)).map((page) => join(folder, page))
  const { stdout } = await run('mandoc', ['-Tlint', '-Wall', ...paths]).catch(
    (error: unknown) => error as { stdout: string },
  )
  expect(stdout).toBe('')
})

it('a manual page has the text of the help', async () => {
  const { stdout } = await run('mandoc', ['-Tutf8', join(folder, 'filemgr-users.1')], {
    env: { ...process.env, MANWIDTH: '200' },
  })
  // Bold and underlined letters are overstruck.
  const shown = stdout.replaceAll(/.[\b]/gu, '').replaceAll(/\s+/g, ' ')
  expect(shown).toContain('filemgr-users - manage accounts')
  expect(shown).toContain('--password-file <file> read the password from the first line of a file')
  expect(shown).toContain('filemgr users add bob --generate-password prints the password once')
})
