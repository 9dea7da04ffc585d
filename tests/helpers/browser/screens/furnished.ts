import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { ALL_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import { changeSettings } from '../change-settings.ts'
import { epubOf, zipOf } from '../../samples/epub.ts'
import { docxOf, xlsxOf } from '../../samples/office.ts'
import { pdfOf } from '../../samples/pdf-of.ts'
import { quarters } from '../../samples/pictures.ts'
import { linkTo } from '../pages/public-page.ts'
import { tempFolder } from '../../temp-folder.ts'
import { wavOf } from '../../samples/sound.ts'
import { startTestServer, type TestServer } from '../test-server.ts'
import { addUser, PASSPHRASE } from '../pages/users-page.ts'
import type { Stage } from './screen.ts'

/** Starts a daemon with sample data for everything that a screen can show. */
export async function startFurnished(): Promise<TestServer & Pick<Stage, 'links'>> {
  const picture = await quarters(300, 200).png().toBuffer()
  const disk = await tempFolder({ '2024/': '' })
  const daemon = await startTestServer({
    args: ['--enable-exec', '--roots-in', disk.path],
    files: {
      'album/letter.txt': 'older',
      'album/notes.md': 'older',
      'album/kept.txt': 'kept',
      'one/two/three/four/five/six/': '',
      'one/two/three/four/five/seven/': '',
      'letter.txt': 'Dear all,\n\nhello.\n',
      'notes.md': '# Notes\n\n## A part\n\n- one\n- [two](letter.txt)\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
      'picture.png': picture,
      'media/picture.png': picture,
      'media/second.png': picture,
      'media/broken.png': 'no picture',
      'media/song.wav': wavOf(2),
      'media/film.webm': await readFile(join(import.meta.dirname, '../../../fixtures/film.webm')),
      'media/paper.pdf': pdfOf(['One', 'Two']),
      'media/book.epub': epubOf('The Night', { Beginning: '<h1>Beginning</h1>', End: '<h1>End</h1>' }, picture),
      'media/letter.docx': docxOf('<w:p><w:r><w:t>Dear Ada</w:t></w:r></w:p>'),
      'media/book.xlsx': xlsxOf({ People: [['name'], ['Ada']] }),
      'media/people.csv': 'name,town\nAda,London\nBo,Oslo\n',
      'one/papers.zip': zipOf({ 'letters/one.txt': 'Dear Ada', 'note.txt': 'a note', '../up': 'left out' }),
      'one/broken.zip': 'no zip',
      'one/README.md': '# Read me',
      'lost.txt': 'lost',
      'media/data.bin': '\0\u0001\u0002',
      'old.txt': 'old',
      '.hidden': '',
    },
  })
  await daemon.fetch('/api/resources/old.txt?trash=true', { method: 'DELETE' })
  await changeSettings(daemon, { signup: true })
  const rules = [{ allow: false, regex: false, path: '/album/kept.txt', regexp: null }]
  const limits = { quota: 2 ** 30, quotaFiles: 1000 }
  await addUser(daemon, 'ben', { perm: { ...ALL_PERMISSIONS, admin: false }, rules, ...limits })
  await withSecondStep(daemon, 'ben')
  await daemon.fetch('/api/hooks', { method: 'POST', body: JSON.stringify({ event: 'after_save', line: 'echo done' }) })
  const root = { name: 'Archive', location: disk.path, readOnly: true, current_password: daemon.password }
  const added = await daemon.fetch('/api/roots', { method: 'POST', body: JSON.stringify(root) })
  const group = {
    name: 'Readers',
    places: [
      {
        root: ((await added.json()) as { readonly id: string }).id,
        scope: '/2024',
        name: '',
        rules,
        permissionRules: [],
      },
    ],
    perm: { download: true },
    rules: [{ ...rules[0], path: '/one/two' }],
    quota: 2 ** 30,
    current_password: daemon.password,
  }
  const made = await daemon.fetch('/api/groups', { method: 'POST', body: JSON.stringify(group) })
  const { id } = (await made.json()) as { readonly id: string }
  const members = JSON.stringify({ add: [2], current_password: daemon.password })
  await daemon.fetch(`/api/groups/${id}/members`, { method: 'PATCH', body: members })
  const webhook = { url: 'https://example.org/hook', name: 'Search index', events: ['after_upload', 'after_delete'] }
  await daemon.fetch('/api/webhooks', { method: 'POST', body: JSON.stringify(webhook) })
  const provider = { type: 'oidc', name: 'Example SSO', issuer: 'https://127.0.0.1:9', clientId: 'filemgr' }
  const mapping = [{ claim: 'groups', value: 'it-admins', administrator: true }]
  const body = JSON.stringify({ ...provider, mapping, current_password: daemon.password })
  await daemon.fetch('/api/providers', { method: 'POST', body })
  const links = {
    letter: await linkTo(daemon, '/letter.txt'),
    folder: await linkTo(daemon, '/'),
    picture: await linkTo(daemon, '/picture.png', { expires: '3', unit: 'days' }),
    lost: await linkTo(daemon, '/lost.txt'),
    guarded: await linkTo(daemon, '/album/', { password: 'quiet harbour' }),
  }
  await rm(join(daemon.root, 'lost.txt'))
  return {
    ...daemon,
    links,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await disk[Symbol.asyncDispose]()
    },
  }
}

/** Gives the user an authenticator app. */
async function withSecondStep({ url }: TestServer, username: string): Promise<void> {
  const send = async (method: string, path: string, body: object = {}, token = ''): Promise<string> => {
    const headers = { 'x-auth': token }
    return await (await fetch(new URL(path, url), { method, headers, body: JSON.stringify(body) })).text()
  }
  const token = await send('POST', '/api/login', { username, password: PASSPHRASE })
  const begun = await send('POST', '/api/factors/totp', { current_password: PASSPHRASE }, token)
  const { secret } = JSON.parse(begun) as { readonly secret: string }
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await send('POST', '/api/factors/totp/check', { code }, token)
  await send('PUT', '/api/factors/totp', {}, token)
}
