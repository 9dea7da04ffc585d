import { readdir, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { CHEAP_HASH } from '../helpers/cheap-account.ts'
import { runCli, runCliJson, startCli } from '../helpers/cli/run-cli.ts'
import { isLong } from '../helpers/stress-size.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const ROUNDS = isLong ? 12 : 6

it('a restore that is killed at any moment leaves the old state or that of the backup, branding included', async () => {
  await using folder = await tempFolder({ 'files/': '' })
  const data = ['--data', folder.at('data')]
  const users = async () =>
    (await runCliJson<{ username: string }[]>([...data, 'users', 'ls'])).map(({ username }) => username).join()
  const branding = async () => {
    const { brandingFolder = 'branding' } = JSON.parse(await readFile(folder.at('data/store.json'), 'utf8')) as {
      brandingFolder?: string
    }
    return await readdir(folder.at(`data/${brandingFolder}`)).then(String, () => '')
  }
  await writeFile(folder.at('custom.css'), 'body {}')
  await runCli([...data, 'init', '--root', folder.at('files'), ...CHEAP_HASH])
  await runCliJson([...data, 'backup', 'create', folder.at('one.tar')])
  await runCli([...data, 'users', 'add', 'eve', ...CHEAP_HASH])
  await runCliJson([...data, 'branding', 'add', folder.at('custom.css')])
  await runCliJson([...data, 'backup', 'create', folder.at('two.tar')])

  const started = performance.now()
  await runCliJson([...data, 'restore', folder.at('two.tar'), '--yes'])
  const whole = performance.now() - started
  for (let round = 0; round < ROUNDS; round++) {
    const restore = startCli([...data, 'restore', folder.at(round % 2 === 0 ? 'one.tar' : 'two.tar'), '--yes'])
    await wait((whole * (round + 1)) / ROUNDS)
    restore.kill('SIGKILL')
    await restore.ended()
    expect(['admin: ', 'admin,eve: custom.css']).toContain(`${await users()}: ${await branding()}`)
  }
  await runCliJson([...data, 'restore', folder.at('two.tar'), '--yes'])
  expect(await users()).toBe('admin,eve')
  expect((await readdir(folder.at('data'))).filter((name) => /^store\.json.*\.tmp$/.test(name))).toEqual([])
})
