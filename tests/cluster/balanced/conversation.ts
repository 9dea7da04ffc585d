import { PASSWORD } from '../../helpers/cheap-account.ts'
import type { Client } from './transcript.ts'

const POST = { method: 'POST' }
const DELETE = { method: 'DELETE' }
const json = (body: unknown, method = 'POST') => ({ method, body: JSON.stringify(body) })
const text = (body: string, headers: Record<string, string> = {}, method = 'POST') => ({ method, body, headers })
const to = (path: string, action: string, more = '') => ({
  path: `?action=${action}&destination=${encodeURIComponent(encodeURIComponent(path))}${more}`,
  method: 'PATCH',
})
const LONG = 'x'.repeat(300)
const PATHS = [
  ...['', 'docs', 'docs/', 'docs/a.txt', 'docs/a.txt/', 'docs/a.txt/below', 'none', 'none/', 'docs/none.txt', '%FF'],
  ...['docs/.hidden', 'docs/.dir/', 'a%20b/%C3%BC%2B%C3%9F%20%23.txt', 'a%20b/', 'docs%2Fa.txt', 'docs%00', LONG],
  ...['empty/', 'deep/er/and/deeper/', 'deep/er/and/deeper/x.json', 'deep/er/../er', 'docs/pic.svg', 'docs/clip.mp4'],
]
const READS = [
  'resources/',
  'resources/recursive/',
  'raw/',
  'count/',
  'measure/',
  'sizes/',
  'usage/',
  'share/',
  'preview/thumb/',
]

/**
 * Asks a new server for nearly everything that the API can do, well and badly. Two servers that behave alike give the same
 * transcript.
 *
 * @param base a client without a session
 */
export async function conversation(base: Client): Promise<void> {
  const signIn = async (username: string) => {
    const token = await base.ask('api/login', json({ username, password: PASSWORD }))
    base.called(`token of ${username}`, token)
    return base.as(username, { 'x-auth': token })
  }
  const admin = await signIn('admin')
  await fill(admin)
  const ann = await addAnn(admin, signIn)
  for (const client of [admin, ann]) await read(client)
  for (const call of READS) await base.ask(`api/${call}docs`)
  await readFiles(admin)
  for (const client of [admin, ann]) await write(client)
  await upload(admin)
  await trash(admin)
  await share(admin, base)
  await accounts(admin, ann, base)
  await server(admin, ann, base)
}

async function fill({ ask }: Client): Promise<void> {
  for (const folder of ['docs/', 'docs/.dir/', 'empty/', 'a%20b/', 'deep/', 'deep/er/', 'deep/er/and/'])
    await ask(`api/resources/${folder}`, POST)
  await ask('api/resources/deep/er/and/deeper/', POST)
  const files = {
    'docs/a.txt': 'alpha beta gamma',
    'docs/b.markdown': '# b',
    'docs/.hidden': 'hidden',
    'docs/.dir/in.txt': 'in',
    'a%20b/%C3%BC%2B%C3%9F%20%23.txt': 'umlaut',
    'deep/er/and/deeper/x.json': '{"a":1}',
    'docs/empty.txt': '',
    'docs/pic.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'docs/page.html': '<b>b</b>',
    'docs/clip.mp4': 'no video',
    'docs/clip.vtt': 'WEBVTT',
    'docs/large.bin': 'x'.repeat(200_000),
  }
  for (const [path, body] of Object.entries(files)) await ask(`api/resources/${path}`, text(body))
}

async function addAnn({ ask }: Client, signIn: (username: string) => Promise<Client>): Promise<Client> {
  const perm = { create: true, rename: false, modify: true, delete: false, share: false, download: true }
  const rules = [{ regex: false, allow: false, path: '/docs/b.markdown', regexp: null }]
  const more = { scope: '/', locale: 'en', viewMode: 'list', hideDotfiles: true, rules }
  const data = { username: 'ann', password: PASSWORD, perm, ...more }
  await ask('api/users', json({ what: 'user', which: [], current_password: PASSWORD, data }))
  return await signIn('ann')
}

async function read({ ask }: Client): Promise<void> {
  for (const call of READS) for (const path of PATHS) await ask(`api/${call}${path}`)
  for (const query of ['a', 'type:image', 'case:sensitive A', '', '"b.markdown"', 'deeper'])
    await ask(`api/search/?query=${encodeURIComponent(query)}`)
  await ask('api/search/deep/?query=x')
  await ask('api/search/none/?query=x')
}

async function readFiles({ ask }: Client): Promise<void> {
  for (const range of ['0-3', '-4', '5-', '9999-', '0-0,4-5', '4-2', '0-99999'])
    await ask('api/raw/docs/a.txt', { headers: { range: `bytes=${range}` } })
  await ask('api/raw/docs/large.bin', { headers: { range: 'bytes=70000-199998' } })
  for (const headers of [
    { range: 'bytes=0-3', 'if-range': '"other"' },
    { 'if-none-match': '"other"' },
    { 'if-none-match': '*' },
    { 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
    { 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
    { 'if-match': '"other"' },
  ])
    await ask('api/raw/docs/a.txt', { headers })
  for (const name of ['a.txt', 'b.markdown', 'page.html', 'pic.svg', 'clip.mp4', 'empty.txt'])
    await ask(`api/raw/docs/${name}?inline=true`)
  for (const sum of ['md5', 'sha1', 'sha256', 'sha512', 'none']) await ask(`api/resources/docs/a.txt?checksum=${sum}`)
  await ask('api/resources/docs/?checksum=md5')
  await ask('api/resources/docs/pic.svg?resolution=true')
  for (const algo of ['zip', 'tar', 'targz', 'tarxz', 'tarzst', 'rar', '']) await ask(`api/raw/docs/?algo=${algo}`)
  for (const files of ['a.txt', 'a.txt,b.markdown', 'none', '../docs', '.hidden,.dir'])
    await ask(`api/raw/docs/?files=${files}`)
  for (const path of ['docs/clip.mp4', 'docs/clip.mp4?name=clip.vtt', 'docs/a.txt', 'none.mp4'])
    await ask(`api/subtitle/${path}`)
}

async function write({ ask }: Client): Promise<void> {
  const at = (name: string) => `api/resources/work/${name}`
  await ask(at(''), POST)
  for (const name of [
    'one.txt',
    'one.txt',
    'one.txt?override=true',
    'one.txt/below',
    'new/parent/two.txt',
    'sub/',
    'sub/',
  ])
    await ask(at(name), text(`to ${name}`))
  await ask(at('one.txt'), text('not new', { 'if-none-match': '*' }))
  await ask(at(LONG), text('too long'))
  await ask(at('%00'), text('no path'))
  for (const name of ['one.txt', 'none.txt', 'sub/', 'sub']) await ask(at(name), text('saved', {}, 'PUT'))
  await ask(at('one.txt'), text('lost', { 'if-match': '"other"' }, 'PUT'))
  await ask('api/raw/work/one.txt')
  for (const [source, target, action, more] of [
    ['one.txt', 'work/copy.txt', 'copy'],
    ['one.txt', 'work/copy.txt', 'copy'],
    ['one.txt', 'work/copy.txt', 'copy', '&override=true'],
    ['one.txt', 'work/copy.txt', 'copy', '&rename=true'],
    ['one.txt', 'work/none/copy.txt', 'copy'],
    ['none.txt', 'work/other.txt', 'copy'],
    ['sub', 'work/sub/sub', 'copy'],
    ['new', 'work/newer', 'copy'],
    ['copy.txt', 'work/moved.txt', 'rename'],
    ['moved.txt', 'work/one.txt', 'rename'],
    ['moved.txt', 'work/moved.txt', 'rename'],
    ['newer', 'work/sub/newer', 'rename'],
    ['sub', 'work/sub/newer/sub', 'rename'],
    ['one.txt', '/', 'rename'],
    ['one.txt', 'work/a/../b', 'rename'],
    ['one.txt', 'work/b.txt', 'none'],
  ] as const) {
    const { path, method } = to(`/${target}`, action, more)
    await ask(at(source + path), { method })
  }
  await ask(at('one.txt?action=rename'), { method: 'PATCH' })
  await ask('api/resources/recursive/work/')
  for (const name of ['copy(1).txt', 'none.txt', 'sub', '']) await ask(at(name), DELETE)
  await ask('api/resources/', DELETE)
  await ask('api/resources/')
}

async function upload({ ask }: Client): Promise<void> {
  const type = { 'content-type': 'application/offset+octet-stream' }
  const begin = async (name: string, headers: Record<string, string>) =>
    await ask(`api/tus/${name}`, { method: 'POST', headers })
  const send = async (name: string, offset: string, body: string, more: Record<string, string> = type) =>
    await ask(`api/tus/${name}`, text(body, { ...more, 'upload-offset': offset }, 'PATCH'))
  const askOffset = async (name: string) => await ask(`api/tus/${name}`, { method: 'HEAD' })
  await ask('api/tus/', { method: 'OPTIONS' })
  for (const length of ['', '-1', 'x', '8']) await begin('up.txt', { 'upload-length': length })
  await askOffset('up.txt')
  await ask('api/resources/up.txt')
  await send('up.txt', '1', 'abcd')
  await send('up.txt', '0', 'abcd', { 'content-type': 'text/plain' })
  await send('up.txt', '0', 'abcd')
  await askOffset('up.txt')
  await send('up.txt', '0', 'abcd')
  await send('up.txt', '4', 'efgh and more')
  await send('up.txt', '4', 'efgh')
  await ask('api/raw/up.txt')
  await askOffset('up.txt')
  await begin('up.txt', { 'upload-length': '3' })
  await ask('api/tus/up.txt?override=true', { method: 'POST', headers: { 'upload-length': '3' } })
  await ask('api/tus/up.txt', DELETE)
  await ask('api/raw/up.txt')
  await begin('none.txt/', { 'upload-length': '3' })
  await begin('zero.txt', { 'upload-length': '0' })
  await ask('api/resources/zero.txt')
  await askOffset('missing.txt')
  await send('missing.txt', '0', 'abc')
  await ask('api/tus/missing.txt', DELETE)
}

async function trash({ ask, called }: Client): Promise<void> {
  for (const name of ['bin/', 'bin/a.txt', 'bin/sub/', 'bin/sub/b.txt']) await ask(`api/resources/${name}`, text(name))
  for (const name of ['bin/a.txt', 'bin/sub', 'bin/none']) await ask(`api/resources/${name}?trash=true`, DELETE)
  const listed = JSON.parse(await ask('api/trash')) as { id: string; path: string }[]
  const [file, folder] = ['/bin/a.txt', '/bin/sub'].map((path) =>
    called(`trashed ${path}`, listed.find((entry) => entry.path === path)?.id),
  )
  await ask('api/resources/bin/a.txt', text('in the way'))
  await ask(`api/trash/${file}`, POST)
  await ask(`api/trash/${folder}`, POST)
  await ask(`api/trash/${folder}`, POST)
  await ask('api/resources/recursive/bin/')
  await ask(`api/trash/${file}`, DELETE)
  await ask(`api/trash/${file}`, DELETE)
  await ask('api/resources/bin?trash=true', DELETE)
  await ask('api/trash', DELETE)
  await ask('api/trash')
}

async function share({ ask, called }: Client, visitor: Client): Promise<void> {
  const made = async (name: string, path: string, body: unknown = {}) => {
    const reply = await ask(`api/share/${path}`, json(body))
    const { hash } = reply.startsWith('{') ? (JSON.parse(reply) as { hash?: string }) : {}
    return hash === undefined ? 'none' : called(`hash of ${name}`, hash)
  }
  const file = await made('file', 'docs/a.txt')
  const folder = await made('folder', 'docs')
  const guarded = await made('guarded', 'docs', { password: PASSWORD, expires: '1', unit: 'hours' })
  for (const [path, body] of [
    ['none', {}],
    ['docs', { expires: 'x', unit: 'hours' }],
    ['docs', { unit: 'none', expires: '1' }],
  ] as const)
    await made('none', path, body)
  for (const hash of [file, folder, guarded, 'none'])
    for (const path of ['', '/', '/a.txt', '/.hidden', '/none', '/../a.txt'])
      for (const call of ['share', 'dl']) await visitor.ask(`api/public/${call}/${hash}${path}`)
  for (const password of [PASSWORD, 'wrong']) {
    const headers = { 'x-share-password': encodeURIComponent(password) }
    await visitor.ask(`api/public/share/${guarded}`, { headers })
  }
  await visitor.ask(`api/public/dl/${file}`, { headers: { range: 'bytes=2-4' } })
  await visitor.ask(`api/public/dl/${folder}/?algo=tar&files=a.txt`)
  await ask('api/shares')
  await ask('api/share/docs')
  for (const hash of [file, file, 'none']) await ask(`api/share/${hash}`, DELETE)
  await visitor.ask(`api/public/dl/${file}`)
}

async function accounts(admin: Client, ann: Client, nobody: Client): Promise<void> {
  for (const client of [admin, ann, nobody]) {
    const { ask } = client
    for (const path of [
      'users',
      'users/1',
      'users/2',
      'users/99',
      'users/x',
      'sessions',
      'sessions?all=true',
      'tokens',
    ])
      await ask(`api/${path}`)
    for (const body of [
      {},
      { what: 'user', which: ['locale'], data: { id: 2, locale: 'de' } },
      { what: 'user', which: ['perm'], data: { id: 2, perm: { admin: true } } },
      { what: 'user', which: ['perm'], current_password: 'wrong', data: { id: 2, perm: { share: true } } },
      { what: 'user', which: ['all'], current_password: PASSWORD, data: { id: 2, username: 'admin' } },
      { what: 'user', which: ['password'], current_password: PASSWORD, data: { id: 2, password: 'x' } },
    ])
      await ask('api/users/2', json(body, 'PUT'))
    await ask('api/users', json({ what: 'user', which: [], current_password: PASSWORD, data: { username: 'ann' } }))
    await ask('api/users/99', DELETE)
    await ask('api/users/1', json({ current_password: PASSWORD }, 'DELETE'))
  }
  for (const order of [{}, { name: 'robot', permissions: ['download'], path: '/docs' }]) {
    const reply = await admin.ask('api/tokens', json(order))
    const { token, id } = reply.startsWith('{') ? (JSON.parse(reply) as { token?: string; id?: string }) : {}
    if (token === undefined) continue
    const robot = nobody.as('robot', { authorization: `Bearer ${admin.called('token of robot', token)}` })
    await robot.ask('api/raw/docs/a.txt')
    await robot.ask('api/raw/deep/er/and/deeper/x.json')
    await robot.ask('api/users')
    await admin.ask(`api/tokens/${admin.called('id of the token', id)}`, DELETE)
    await robot.ask('api/raw/docs/a.txt')
  }
  await nobody.ask('api/login', json({ username: 'ann', password: 'wrong' }))
  await nobody.ask('api/login', json({}))
  await nobody.ask('api/signup', json({ username: 'eve', password: PASSWORD }))
  await ann.ask('api/renew', POST)
  await admin.ask('api/users/2', json({ current_password: PASSWORD }, 'DELETE'))
  await ann.ask('api/resources/')
}

async function server(admin: Client, ann: Client, nobody: Client): Promise<void> {
  const paths = ['settings', 'settings/all', 'settings/auth', 'server', 'hooks', 'webhooks', 'branding', 'maintenance']
  for (const client of [admin, ann, nobody])
    for (const path of [
      ...paths,
      'jobs',
      'jobs/none',
      'cache',
      'why?path=/docs',
      'openapi.json',
      'password-rules',
      'none',
    ])
      await client.ask(`api/${path}`)
  const settings = JSON.parse(await admin.ask('api/settings')) as object
  await admin.ask('api/settings', json({ ...settings, signup: 'x' }, 'PUT'))
  await admin.ask('api/settings', json({ ...settings, hideLoginButton: true }, 'PUT'))
  await admin.ask('api/settings')
  for (const path of [
    'health',
    'health/live',
    'health/ready',
    '',
    'files/',
    'login',
    'share/none',
    'static/none.js',
    '.env',
  ])
    await nobody.ask(path)
  await admin.ask('api/logout', POST)
  await admin.ask('api/resources/')
}
