import { readFile, rename, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/platform/logger.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

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
    log.debug('not said')
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

  it('holds no secrets', async () => {
    await using folder = await tempFolder()
    const path = folder.at('log')
    using log = await createLogger({ destination: path, debug: true })
    const secret = 'very secret'
    const facts = {
      password: secret,
      token: secret,
      headers: { 'x-auth': secret, cookie: secret, authorization: secret },
    }
    log.debug(facts, 'a request')
    log.error({ user: { passwordHash: secret, tokenKey: secret } }, 'a record')
    expect(await readFile(path, 'utf8')).not.toContain(secret)
    expect(await linesOf(path)).toHaveLength(2)
  })

  it('cannot be forged by names with line breaks and escape sequences', async () => {
    await using folder = await tempFolder()
    const path = folder.at('log')
    using log = await createLogger({ destination: path, format: 'pretty' })
    log.info({ user: 'a\n[12:00:00] INFO: forged' }, 'b\n[12:00:00] INFO: forged \u001b[2J')
    const text = await readFile(path, 'utf8')
    expect(text.trimEnd().split('\n')).toHaveLength(1)
    expect(text).not.toContain('\u001b[2J')
  })

  it('goes on in a new file after the old one was moved away', async () => {
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
