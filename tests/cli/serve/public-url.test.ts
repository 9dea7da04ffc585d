import { expect, it } from 'vitest'
import { CHEAP_ACCOUNT } from '../../helpers/cheap-account.ts'
import { startCli } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const LINK = /^https:\/\/files\.example\.org\/fb\/share\/\w+/

it('commands and the page make links with the public address', async () => {
  await using store = await testStore({ 'a.txt': 'a' })
  const env = { FILEMGR_PUBLIC_URL: 'https://files.example.org/fb/' }
  await using daemon = await startTestDaemon({
    data: store.data,
    root: store.root,
    env,
    args: ['--base-url', '/fb', '--address', '127.0.0.1'],
  })
  expect(await store.json(['shares', 'add', '/a.txt'])).toMatchObject({ url: expect.stringMatching(LINK) as string })
  expect(await store.json(['status'])).toMatchObject({ url: daemon.url, publicUrl: 'https://files.example.org/fb/' })
  expect(await (await fetch(daemon.url)).text()).toContain('"PublicURL":"https://files.example.org"')
})

it('serve --share prints the link at the public address', async () => {
  await using folder = await tempFolder()
  const line = ['serve', folder.path, '--ephemeral', '--port', '0', '--share', '--json']
  await using running = startCli([...line, '--public-url', 'http://nas.local:8080'], { env: CHEAP_ACCOUNT })
  expect(JSON.parse(await running.firstLine())).toMatchObject({ share: containing('http://nas.local:8080/share/') })
})

it('the public address is learned from a trusted proxy, only from requests of an administrator', async () => {
  await using store = await testStore({ 'a.txt': 'a' })
  await using daemon = await startTestDaemon({
    data: store.data,
    root: store.root,
    args: ['--trusted-proxies', '127.0.0.1'],
  })
  const forwarded = (host: string) => ({ headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': host } })
  await fetch(`${daemon.url}health`, forwarded('evil.example.org'))
  await fetch(`${daemon.url}api/resources/`, forwarded('evil.example.org'))
  const made = await store.json<{ token: string }>(['tokens', 'add', 'script', '--permissions', 'admin'])
  const { headers: evil } = forwarded('evil.example.org')
  const byToken = await fetch(`${daemon.url}api/users`, { headers: { ...evil, 'x-auth': made.token } })
  expect(byToken.status).toBe(200)
  expect(await store.json(['status'])).toMatchObject({ publicUrl: null })

  const token = await (
    await fetch(`${daemon.url}api/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password: 'a long passphrase' }),
    })
  ).text()
  const { headers } = forwarded('files.example.org')
  await fetch(`${daemon.url}api/resources/`, { headers: { ...headers, 'x-auth': token } })
  await expect.poll(async () => await store.json(['status'])).toMatchObject({ publicUrl: 'https://files.example.org/' })
  expect(await store.json(['shares', 'add', '/a.txt'])).toMatchObject({
    url: containing('https://files.example.org/share/'),
  })
})

it.each([
  [['--public-url', 'https://files.example.org/x', '--base-url', '/fb'], 'both must be the same'],
  [['--public-url', 'files.example.org'], 'public-url'],
  [['--public-url', 'https://['], 'is no address'],
])('%j is refused', async (args, message) => {
  await using folder = await tempFolder()
  const line = ['serve', folder.path, '--ephemeral', '--port', '0', ...args]
  expect(await runHere(line, { env: CHEAP_ACCOUNT })).toMatchObject({ code: 2, stderr: containing(message) })
})
