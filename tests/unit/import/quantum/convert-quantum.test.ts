import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { compileRules } from '../../../../src/domain/access/rule-check.ts'
import { mountOf } from '../../../../src/domain/server/root.ts'
import { PLAIN_TERMS } from '../../../../src/domain/shares/share-terms.ts'
import { parseVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { readSqlite } from '../../../../src/import/sqlite/read-sqlite.ts'
import { compilePattern } from '../../../../src/platform/validation/pattern.ts'
import type { FindTarget } from '../../../../src/import/filebrowser/import-shares.ts'
import { planImport } from '../../../../src/import/filebrowser/plan-import.ts'
import { convertQuantum } from '../../../../src/import/quantum/convert-quantum.ts'
import { isQuantumConfig, quantumConfigOf } from '../../../../src/import/quantum/quantum-config.ts'
import { QUANTUM_TABLES, quantumFromBolt, quantumFromTables } from '../../../../src/import/quantum/read-quantum.ts'
import { boltFile } from '../../../helpers/samples/bolt-file.ts'
import { importInput, oldFile } from '../../../helpers/samples/old-installation.ts'
import {
  QUANTUM_HASH,
  quantumBolt,
  quantumConfig,
  type QuantumSample,
  quantumSample,
  quantumSqlite,
  quantumUser,
} from '../../../helpers/samples/quantum-installation.ts'
import { tempFolder } from '../../../helpers/temp-folder.ts'
import { notesOn } from '../../../helpers/unit/import-plan.ts'

const SAMPLE = quantumSample('/srv')

function configOf(text: string) {
  const value: unknown = parse(text)
  if (!isQuantumConfig(value)) throw new Error('not a configuration of Quantum')
  return quantumConfigOf(value, '/etc/quantum')
}

interface Changes extends Partial<QuantumSample> {
  readonly config?: string
  readonly root?: string
  readonly findTarget?: FindTarget
}

/** The plan for the sample with these changes. */
function planOf({ config = quantumConfig('/srv'), root, findTarget, ...sample }: Changes = {}) {
  const database = quantumFromBolt(quantumBolt({ ...SAMPLE, ...sample }))
  if (database === undefined) throw new Error('not a database of Quantum')
  const old = convertQuantum({ database, config: configOf(config), root })
  return planImport(importInput({}, { old, ...(findTarget && { findTarget }) }))
}

type Plan = ReturnType<typeof planOf>

/** What somebody sees, such as "docs:/team", with the name of the place. */
function foldersOf({ document }: Plan, name: string): string[] {
  const user = document.users.find(({ username }) => username === name)
  const shown = ({ root = 'files', scope }: { readonly root?: string | undefined; readonly scope: string }) =>
    `${document.roots.find(({ id }) => id === root)?.name ?? root}:${scope}`
  if (user === undefined) return []
  return [shown(user), ...user.places.map((place) => `${shown(place)} as "${place.name}"`)]
}

/** Which of these paths a user may see: in the own folder, or in the place with this number. */
function seenBy({ document }: Plan, name: string, paths: readonly string[], place?: number): string[] {
  const user = document.users.find(({ username }) => username === name)
  const { rules = [] } = (place === undefined ? user : user?.places[place]) ?? {}
  const allows = compileRules(rules, compilePattern)
  return paths.filter((path) => allows(parseVirtualPath(path)))
}

describe('an import from FileBrowser Quantum', () => {
  it('carries users over with ids, hashes, folders, permissions and preferences', () => {
    const plan = planOf()
    const { document } = plan
    expect(document.roots).toMatchObject([{ name: 'media', location: '/srv/media', readOnly: false }])
    expect(document.users.map(({ id, username }) => [id, username, ...foldersOf(plan, username)])).toEqual([
      [1, 'admin', 'none:/', 'files:/ as "docs"', 'media:/ as ""'],
      [2, 'graham', 'files:/team'],
      [3, 'olga', 'none:/', 'files:/ as "docs"', 'media:/ as ""'],
      [4, 'tina', 'media:/'],
    ])
    expect(document.users[1]).toMatchObject({
      passwordHash: QUANTUM_HASH,
      locale: 'pt-br',
      viewMode: 'mosaic gallery',
      sorting: { by: 'size', asc: true },
      hideDotfiles: false,
      perm: { admin: false, execute: false, create: true, rename: true, modify: true, delete: false, share: true },
    })
    // Ascending names are A to Z there.
    expect(document.users[3]).toMatchObject({ sorting: { by: 'name', asc: false }, hideDotfiles: true })
    expect(document.server).toEqual({ root: '/srv/docs', port: 8090 })
    expect(document.settings).toMatchObject({ branding: { name: 'Our Files' }, authMethod: 'json' })
  })

  it('gives the same result for the database of release 2, including what is only in its write-ahead log', async () => {
    await using folder = await tempFolder()
    using _open = quantumSqlite(folder.at('quantum.sqlite'), SAMPLE)
    const files = {
      database: await readFile(folder.at('quantum.sqlite')),
      wal: await readFile(folder.at('quantum.sqlite-wal')),
    }
    const database = quantumFromTables(await readSqlite(files, QUANTUM_TABLES))
    const old = convertQuantum({ database, config: configOf(quantumConfig('/srv')), root: undefined })
    const { document, report } = planImport(importInput({}, { old }))
    const expected = planOf()
    // The random id of the last user becomes the next free one.
    const withoutIds = ({ users, shares, roots }: typeof document) => {
      const text = JSON.stringify({ users, shares, roots })
      return roots.reduce((all, { id }, index) => all.replaceAll(id, `root ${index}`), text)
    }
    expect(withoutIds(document)).toEqual(withoutIds(expected.document))
    expect(report).toEqual(expected.report)
  })

  it('gives no password to accounts of another sign-in method, whose stored hash is that of their name', () => {
    const { document, report } = planOf()
    expect(document.users.find(({ username }) => username === 'olga')?.passwordHash).toBe('')
    expect(notesOn(report, 'user olga')).toContain('changed: signed in by oidc, and has no password here')
  })

  it('names what an account loses: second factor, API tokens', () => {
    const { report } = planOf()
    expect(notesOn(report, 'user tina').join()).toContain('second factor')
    expect(notesOn(report, 'user admin')).toContain('dropped: 1 API token')
  })

  it('keeps links with their address, owner and password', () => {
    const { document } = planOf()
    const media = mountOf(document.roots[0]?.id)
    expect(document.shares).toMatchObject([
      { hash: 'lMhwHkF-hqCN92-QIJJZow', path: '/report.txt', userID: 2, scope: '/team' },
      { hash: 'secretsecretsecretsec1', path: '/', userID: 1, scope: media, passwordHash: QUANTUM_HASH },
    ])
  })

  it.each([
    [{ allowedUsernames: ['tina'] }, 'only for certain users'],
    [{ disableAnonymous: true }, 'only for people with an account'],
    [{ downloadsLimit: 3, perUserDownloadLimit: true }, 'counts the downloads of each account'],
    [{ disableDownload: true, disableFileViewer: true }, 'shows names of files only'],
    [{ hideFileExt: '.raw' }, 'hides some types'],
    [{ userID: 9 }, 'does not exist'],
    [{ source: '/elsewhere' }, 'not a source'],
    [{ path: '/other/' }, 'outside the folder that its owner sees'],
  ])('leaves out the link %j, which would admit people who were not allowed before', (fields, reason) => {
    const { document, report } = planOf({ shares: [{ ...SAMPLE.shares[0], ...fields }] })
    expect(document.shares).toEqual([])
    expect(report.dropped.map(({ note }) => note).join()).toContain(reason)
  })

  const REPORT_LINK = 'share lMhwHkF-hqCN92-QIJJZow of /team/report.txt/'

  it.each([
    [
      { title: 'Reports', description: 'For the audit' },
      { allows: 'download', title: 'Reports', message: 'For the audit' },
    ],
    [{ shareType: 'upload', allowCreate: true }, { allows: 'upload' }],
    [{ shareType: 'upload', disableDownload: true, disableFileViewer: true }, { allows: 'upload' }],
    [{ disableDownload: true }, { allows: 'view' }],
    [{ allowCreate: true }, { allows: 'both' }],
    [{ allowUpload: true }, { allows: 'both' }],
    [{ downloadsLimit: 3 }, { allows: 'download', maxDownloads: 3 }],
  ])('carries the terms of the link %j', (fields, terms) => {
    const { document, report } = planOf({ shares: [{ ...SAMPLE.shares[0], ...fields }] })
    expect(document.shares[0]?.terms).toEqual({ ...PLAIN_TERMS, ...terms })
    expect(notesOn(report, REPORT_LINK)).toEqual([])
  })

  it('counts the downloads of a limited link on', async () => {
    const shares = [{ ...SAMPLE.shares[0], downloadsLimit: 3, downloads: 2 }]
    expect(planOf({ shares }).document.shares[0]).toMatchObject({ terms: { maxDownloads: 3 }, downloads: 2 })
    expect(planOf({ shares: [{ ...SAMPLE.shares[0], downloads: 2 }] }).document.shares[0]).not.toHaveProperty('terms')
  })

  it.each([
    [{ allowModify: true }, 'changes, deletions and replacements by visitors'],
    [{ allowDelete: true }, 'changes, deletions and replacements by visitors'],
    [{ allowReplacements: true }, 'changes, deletions and replacements by visitors'],
    [{ maxBandwidth: 5 }, 'its bandwidth limit'],
    [{ disableFileViewer: true }, 'its ban on viewing in the browser'],
    [{ banner: 'x.png' }, 'its appearance'],
    [{ title: 'T'.repeat(101) }, 'the end of its title or description'],
    [
      { disableDownload: true, allowCreate: true },
      'uploads by visitors, since a link here cannot be for viewing and uploads',
    ],
  ])('keeps the link %j, and says what it loses', (fields, lost) => {
    const { document, report } = planOf({ shares: [{ ...SAMPLE.shares[0], ...fields }] })
    expect(document.shares).toHaveLength(1)
    expect(notesOn(report, REPORT_LINK)).toEqual([`changed: loses ${lost}`])
  })

  it('lets only links to folders take files, and only if their owners may create some', () => {
    const file = { target: { device: '1', inode: '2', birth: '3' }, isDir: false }
    const plan = (fields: object) => planOf({ shares: [{ ...SAMPLE.shares[0], ...fields }], findTarget: () => file })
    expect(
      plan({ shareType: 'upload' })
        .report.dropped.map(({ note }) => note)
        .join(),
    ).toContain('leads to a file')
    expect(plan({ allowCreate: true }).document.shares[0]).not.toHaveProperty('terms')
    const graham = { ...SAMPLE.users[1], permissions: { create: false, share: true, download: true } }
    const { report } = planOf({ users: [graham], shares: [{ ...SAMPLE.shares[0], shareType: 'upload' }] })
    expect(notesOn(report, 'share lMhwHkF-hqCN92-QIJJZow of /report.txt')).toContain(
      'lookAt: takes no files until graham may create files',
    )
  })

  it('carries the permissions of each source, which are those of its place, and what the sources allow', () => {
    const permissions = { view: true, download: true, modify: true, create: true, delete: true }
    const scopes = [
      { path: '/srv/docs', scope: '/', permissions },
      { path: '/srv/media', scope: '/', permissions: { ...permissions, modify: false } },
    ]
    const users = [quantumUser(1, 'ann', { version: 4, backendScopes: scopes })]
    const { document } = planOf({ users })
    expect(document.users[0]?.perm).toMatchObject({ modify: false, rename: false, create: true })
    expect(document.users[0]?.places).toMatchObject([
      { permissions: ['download', 'create', 'modify', 'rename', 'delete'] },
      { permissions: ['download', 'create', 'delete'] },
    ])
    const readOnly = quantumConfig('/srv').replace('name: docs\n', 'name: docs\n      config: { readOnly: true }\n')
    expect(planOf({ config: readOnly }).document.users[1]?.perm).toMatchObject({ create: false, download: true })
  })

  it('lets a user without a source sign in, and see nothing', () => {
    const users = [quantumUser(1, 'ann', { scopes: [{ name: '/gone', scope: '/' }] })]
    const plan = planOf({ users })
    expect(foldersOf(plan, 'ann')).toEqual(['none:/'])
    expect(notesOn(plan.report, 'user ann').join()).toContain('/gone, which is not a source')
  })
})

describe('groups of Quantum', () => {
  it('keep their members, and give nothing beside the rules that each member gets', () => {
    const { document } = planOf({ groups: { staff: { tina: {}, gone: {} }, 'a,b': {} } })
    const tina = document.users.find(({ username }) => username === 'tina')
    expect(document.groups).toMatchObject([
      { name: 'staff', members: [tina?.id], rules: [], quota: 0 },
      { name: 'a b', members: [] },
    ])
  })
})

describe('access rules of Quantum', () => {
  it('for a user or a group win over those for everyone, in the place that they are about', () => {
    const paths = ['/', '/private/a', '/films/b']
    expect(seenBy(planOf(), 'admin', paths, 0)).toEqual(['/', '/films/b'])
    expect(seenBy(planOf(), 'admin', paths, 1)).toEqual(paths)
    expect(seenBy(planOf(), 'olga', paths, 0)).toEqual(paths)
    expect(seenBy(planOf(), 'tina', ['/', '/films', '/films/b', '/music'])).toEqual(['/', '/music'])
  })

  it('for a deeper folder win over those above; the way to an allowed folder stays open, and only the way', () => {
    const config = quantumConfig('/srv').replace('name: docs\n', 'name: docs\n      config: { denyByDefault: true }\n')
    const ann = { Users: { ann: {} }, Groups: null }
    const rules = {
      '/srv/docs': { '/a/b/': { Deny: {}, Allow: ann }, '/a/b/c/': { Deny: ann, Allow: {} } },
    }
    const users = [quantumUser(1, 'ann', { scopes: [{ name: '/srv/docs', scope: '/' }] })]
    const seen = seenBy(planOf({ config, rules, users }), 'ann', ['/', '/x', '/a', '/a/x', '/a/b', '/a/b/x', '/a/b/c'])
    expect(seen).toEqual(['/', '/a', '/a/b', '/a/b/x'])
  })

  it('for a folder above cover all that a user sees', () => {
    const rules = { '/srv/docs': { '/': { denyAll: true, Deny: {}, Allow: {} } } }
    expect(seenBy(planOf({ rules }), 'graham', ['/', '/report.txt'])).toEqual([])
  })
})

describe('the configuration of Quantum', () => {
  it('becomes settings and start-up values; the rest is listed', () => {
    const config = `
server:
  sources: [{ path: files, config: { defaultUserScope: /home, createUserDir: true, rules: [{ folderPath: /x }] } }]
  logging: [{ output: stdout }]
http: { port: 81, listen: 0.0.0.0, baseURL: /files/, externalUrl: 'https://files.example.org', trustProxyHeaders: true }
auth:
  tokenExpirationHours: 4
  methods: { password: { minLength: 8, signup: true }, oidc: { enabled: true } }
frontend: { name: Our Files, styling: { customCSS: a.css } }
userDefaults: { ui: { locale: de, darkMode: false }, account: { permissions: { share: true } }, search: { disableOptions: true } }
integrations: { office: { url: 'http://localhost' } }
`
    const { document, report } = planOf({ config, users: [], shares: [], rules: {} })
    expect(document.server).toEqual({
      root: '/etc/quantum/files',
      port: 81,
      address: '0.0.0.0',
      baseURL: '/files',
      publicUrl: 'https://files.example.org',
      tokenExpirationTime: '4h',
    })
    expect(document.settings).toMatchObject({
      minimumPasswordLength: 8,
      signup: true,
      createUserDir: true,
      userHomeBasePath: '/home',
      branding: { name: 'Our Files', theme: 'light' },
      defaults: { locale: 'de', scope: '/home', perm: { create: false, download: true, share: true } },
    })
    expect(report.dropped.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining([
        'setting server.logging',
        'setting frontend.styling',
        'setting userDefaults.search',
        'setting integrations.office',
      ]),
    )
    const subjects = report.lookAt.map(({ subject }) => subject)
    expect(subjects).toEqual(expect.arrayContaining(['source files', 'sign-in method', 'server trustProxyHeaders']))
  })

  it('with only a proxy signs in by its header', () => {
    const more = 'auth: { methods: { password: { enabled: false }, proxy: { enabled: true, header: X-User } } }\n'
    const { settings } = planOf({ config: quantumConfig('/srv', more) }).document
    expect(settings).toMatchObject({ authMethod: 'proxy', auth: { header: 'X-User' } })
  })

  it('with sources anywhere makes a root of each; one inside another is a folder of it', () => {
    const source = (path: string, more = '') => `{ path: ${path}${more} }`
    const sources = [
      source('/docs'),
      source('/mnt/media', ', name: docs, config: { readOnly: true }'),
      source('/docs/old'),
    ]
    const config = `server: { sources: [${sources.join(', ')}] }`
    const scopes = ['/docs/old', '/mnt/media', '/mnt/media'].map((name) => ({ name, scope: '/' }))
    const users = [quantumUser(1, 'ann', { scopes }), quantumUser(2, 'bob', { scopes: scopes.slice(1) })]
    const plan = planOf({ config, users })
    expect(plan.document.roots).toMatchObject([{ name: 'docs', location: '/mnt/media', readOnly: true }])
    expect([plan.document.server.root, plan.document.settings.defaults.root]).toEqual(['/docs', 'none'])
    expect(foldersOf(plan, 'ann')).toEqual(['none:/', 'files:/old as "old"', 'docs:/ as ""'])
    expect(foldersOf(plan, 'bob')).toEqual(['docs:/'])
    const moved = planOf({ config, users, root: '/srv' }).document
    expect([moved.server.root, moved.roots[0]?.location]).toEqual(['/srv/docs', '/srv/mnt/media'])
  })
})

describe('a database is refused', () => {
  it('of a newer release, and one of another program', () => {
    const tables = (version: number) => new Map([['schema_version', [{ version }]]])
    expect(() => quantumFromTables(tables(1))).toThrow('of another program')
    const newer = new Map([...tables(3), ['users', []], ['shares', []]] as const)
    expect(() => quantumFromTables(newer)).toThrow('a newer FileBrowser Quantum wrote this database (schema 3)')
  })

  it('that is damaged or cut off, without quoting it', async () => {
    await using folder = await tempFolder()
    quantumSqlite(folder.at('q.sqlite'), SAMPLE)[Symbol.dispose]()
    const database = await readFile(folder.at('q.sqlite'))
    const cut = { database: database.subarray(0, database.length - 4096), wal: undefined }
    await expect(readSqlite(cut, QUANTUM_TABLES)).rejects.toThrow('the database is damaged')
    const users = [{ user_id: '1', username: 'ann', user_data: '{"password":"secret' }]
    const tables = new Map([
      ['schema_version', []],
      ['users', users],
      ['shares', []],
    ] as const)
    expect(() => quantumFromTables(tables)).toThrow('a record in users is not a JSON record')
  })

  it('and left to File Browser, if it is one of its databases', async () => {
    expect(quantumFromBolt(await readFile(oldFile('filebrowser.db')))).toBeUndefined()
    expect(quantumFromBolt(boltFile({ buckets: { x: {} } }))).toBeUndefined()
  })
})
