import { readFile, rename, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../../../src/platform/logging/logger.ts'
import { tempFolder } from '../../../helpers/temp-folder.ts'

const linesOf = async (path: string) =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('a log file', () => {
  it('holds one JSON object per line, for its owner only', async () => {
    await using folder = await tempFolder()
    const path = folder.at('log')
    using log = await createLogger({ destination: path })
    log.info('started')
    log.warn({ address: '192.0.2.1' }, '/api/login: 403 192.0.2.1 <nil>')
    expect(await linesOf(path)).toEqual([
      { level: 'info', time: expect.any(String) as string, msg: 'started' },
      {
        level: 'warn',
        time: expect.any(String) as string,
        address: '192.0.2.1',
        msg: '/api/login: 403 192.0.2.1 <nil>',
      },
    ])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('is valid text whatever the names', async () => {
    await using folder = await tempFolder()
    const path = folder.at('log')
    using log = await createLogger({ destination: path })
    const name = 'caf\udce9 \ud83d \\udce9 \u{1f600}'
    log.info({ user: name, inner: { names: [name] } }, name)
    log.warn({ err: new Error(name) }, 'an error')
    expect(await readFile(path, 'utf8')).not.toMatch(/[^\\](\\\\)*\\ud/)
    const legible = 'caf\\xE9 \ufffd \\udce9 \u{1f600}'
    expect(await linesOf(path)).toMatchObject([
      { user: legible, inner: { names: [legible] }, msg: legible },
      { err: { message: legible } },
    ])
  })

  it('holds no secrets', async () => {
    await using folder = await tempFolder()
    const path = folder.at('log')
    using log = await createLogger({ destination: path })
    const secret = 'very secret'
    const facts = {
      password: secret,
      token: secret,
      headers: { 'x-auth': secret, cookie: secret, authorization: secret },
    }
    log.info(facts, 'a request')
    log.error({ user: { passwordHash: secret, tokenKey: secret } }, 'a record')
    expect(await readFile(path, 'utf8')).not.toContain(secret)
    expect(await linesOf(path)).toHaveLength(2)
  })

  it.each(['pretty', 'json'] as const)(
    'cannot be forged by names with line breaks, escape sequences and reversed text, not even in errors (%s)',
    async (format) => {
      await using folder = await tempFolder()
      const path = folder.at('log')
      using log = await createLogger({ destination: path, format })
      const name = 'b\n[12:00:00] INFO: forged \u001b[2J \u009b2J \u007f \u202e \u2028'
      log.info({ user: name, inner: { names: [name] } }, name)
      log.warn({ err: new Error(name) }, 'an error')
      const text = await readFile(path, 'utf8')
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/)
      // Continuation lines are indented.
      expect(text.match(/^\[12:00:00\]/gm)).toBeNull()
      if (format === 'json') expect((await linesOf(path))[0]).toMatchObject({ user: name, inner: { names: [name] } })
    },
  )

  it('continues in a new file after the old one was moved away', async () => {
    await using folder = await tempFolder()
    const path = folder.at('log')
    using log = await createLogger({ destination: path })
    log.info('one')
    await rename(path, folder.at('log.1'))
    log.reopen()
    log.info('two')
    expect((await linesOf(folder.at('log.1'))).map(({ msg }) => msg)).toEqual(['one'])
    expect((await linesOf(path)).map(({ msg }) => msg)).toEqual(['two'])
  })

  it('is refused where it cannot be written', async () => {
    await using folder = await tempFolder()
    const logger = createLogger({ destination: folder.at('missing/log') })
    await expect(logger).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'log' } })
  })
})
