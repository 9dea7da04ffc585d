import { Option } from 'commander'
import {
  createShareAsOperator,
  listSharesAsOperator,
  pruneShares,
  removeShareAsOperator,
  updateShareAsOperator,
} from '../../../api/shares/operator.ts'
import { cancelLinkUpload, getShare, listArrivals, listLinkUploads } from '../../../api/shares/shares.ts'
import { fail } from '../../../domain/errors.ts'
import type { ShareDetails, ShareView } from '../../../domain/shares/share.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { type Door, openDoor } from '../../door/door.ts'
import type { Answer } from '../../terminal/output.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { expiryFrom, shareAddress, shareOptions, sharePasswordFrom } from '../../share-links.ts'
import { arrivalList, linkUploadList, termOptions, termRows, termsFrom } from '../../share-terms.ts'
import { drawTable, type TableStyle } from '../../terminal/table.ts'

const list = command({
  name: 'ls',
  summary: 'List public links',
  operations: ['shares.list'],
  options: [
    new Option('--user <name>', 'only those of this user'),
    new Option('--expired', 'also those that expired within the last 30 days'),
  ],
  examples: [
    ['shares ls', 'links of all users'],
    ['shares ls --user bob --json', 'links of one user, with every field'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const expired = invocation.values['expired'] === true
    const details = await door.call(listSharesAsOperator, { query: { ...ownerFrom(invocation), expired } })
    const address = await shareAddress(invocation, door)
    const listed = details.map((share) => listedShare(share, address, Date.now()))
    await invocation.output.answer(shareList(listed, invocation.output))
  },
})

const show = command({
  name: 'show <hash>',
  summary: 'Show one public link',
  operations: ['shares.get'],
  examples: [['shares show 5Wc1RkJz0Q2hUuVb', 'every field']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await answerWith(invocation, door, await door.call(getShare, { params: { hash: wordOf(invocation) } }))
  },
})

const arrivals = command({
  name: 'arrivals <hash>',
  summary: 'List what visitors have sent by a public link, newest first',
  operations: ['shares.arrivals'],
  examples: [['shares arrivals 5Wc1RkJz0Q2hUuVb --json', 'with names, sizes and checksums']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const listed = await door.call(listArrivals, { params: { hash: wordOf(invocation) } })
    await invocation.output.answer(arrivalList(listed, invocation.output))
  },
})

const uploads = command({
  name: 'uploads <hash>',
  summary: 'List what visitors have only begun to send by a public link, oldest first',
  operations: ['shares.uploads'],
  examples: [['shares uploads 5Wc1RkJz0Q2hUuVb --json', 'with ids for "shares cancel"']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const listed = await door.call(listLinkUploads, { params: { hash: wordOf(invocation) } })
    await invocation.output.answer(linkUploadList(listed, invocation.output))
  },
})

const cancel = command({
  name: 'cancel <hash> <id>',
  summary: 'Cancel what a visitor has only begun to send, and remove its data',
  operations: ['shares.cancelUpload'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['shares cancel 5Wc1RkJz0Q2hUuVb Qm3xT8vL0aWcE5sZ --yes', 'the id is shown by "shares uploads"']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const [hash, id] = [wordOf(invocation), wordOf(invocation, 1)]
    if (!(await door.call(listLinkUploads, { params: { hash } })).some((upload) => upload.id === id))
      fail('NOT_FOUND', `there is no upload "${id}"; see "filemgr shares uploads ${hash}"`)
    await confirmOrFail(invocation, `Cancel the upload ${id}?`)
    await door.call(cancelLinkUpload, { params: { hash, id } })
    await invocation.output.answer({ json: { hash, id }, ids: [id], text: `${id} has been cancelled` })
  },
})

const add = command({
  name: 'add <path>',
  summary: 'Create a public link to a path as its owner sees it',
  operations: ['shares.create'],
  options: [
    new Option('--user <name>', 'owner of the link (default: the first administrator)'),
    ...shareOptions(),
    new Option('--slug <text>', 'own address instead of an unguessable one; better with a password'),
    ...termOptions(),
  ],
  examples: [
    ['shares add /docs', 'prints the address'],
    ['shares add /docs --user bob --expires 7d --share-password-stdin < secret', 'expires in a week, with a password'],
    ['shares add /inbox --allow upload --max-total 20GiB --ask-name', 'takes files from visitors, who see nothing'],
  ],
  async run(invocation) {
    const password = await sharePasswordFrom(invocation)
    await using door = await openDoor(invocation)
    const expire = expiryFrom(invocation, Date.now()) ?? 0
    const terms = termsFrom(invocation)
    const { slug } = invocation.values
    const share = await door.call(createShareAsOperator, {
      params: { path: wordOf(invocation) },
      body: {
        ...ownerFrom(invocation),
        ...(password !== undefined && { password }),
        expire,
        ...(typeof slug === 'string' && { slug }),
        ...(terms !== undefined && { terms }),
      },
    })
    if (slug !== undefined && password === undefined)
      invocation.output.warning(
        'this address can be guessed, and anyone who guesses it can open the link; set a password',
      )
    const made = listedShare(share, await shareAddress(invocation, door), Date.now())
    await invocation.output.answer({ json: made, ids: [made.hash], text: made.url })
  },
})

const set = command({
  name: 'set <hash>',
  summary: 'Change the expiry, password or terms of a public link, or confirm a replaced target',
  operations: ['shares.update'],
  options: [
    ...shareOptions(),
    new Option('--clear-password', 'remove the password'),
    new Option('--rebind', 'confirm the current target after it was replaced outside filemgr'),
    ...termOptions(),
  ],
  examples: [
    ['shares set 5Wc1RkJz0Q2hUuVb --expires 30d', 'expires thirty days from now, even if it has expired'],
    ['shares set 5Wc1RkJz0Q2hUuVb --clear-password', 'no longer asks for a password'],
    ['shares set 5Wc1RkJz0Q2hUuVb --rebind', 'works again after its target was replaced'],
  ],
  async run(invocation) {
    const { values } = invocation
    const given = await sharePasswordFrom(invocation)
    const clears = values['clearPassword'] === true
    if (clears && given !== undefined) {
      fail('INVALID_INPUT', 'use either a password or --clear-password', { field: 'clear-password' })
    }
    await using door = await openDoor(invocation)
    const password = clears ? '' : given
    const expire = expiryFrom(invocation, Date.now())
    const terms = termsFrom(invocation)
    const body = {
      ...(password !== undefined && { password }),
      ...(expire !== undefined && { expire }),
      ...(values['rebind'] === true && { rebind: true }),
      ...(terms !== undefined && { terms }),
    }
    if (Object.keys(body).length === 0)
      fail('INVALID_INPUT', 'nothing to change; see "filemgr shares set --help" for what can be')
    const params = { hash: wordOf(invocation) }
    await answerWith(invocation, door, await door.call(updateShareAsOperator, { params, body }))
  },
})

const remove = command({
  name: 'rm <hash>',
  summary: 'Remove a public link; the files stay',
  operations: ['shares.remove'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['shares rm 5Wc1RkJz0Q2hUuVb --yes', 'without asking']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const params = { hash: wordOf(invocation) }
    await confirmOrFail(invocation, async () => {
      const share = await door.call(getShare, { params })
      return `Remove the link of ${share.username} to ${share.path}?`
    })
    const { hash, path, username } = await door.call(removeShareAsOperator, { params })
    const text = `the link to ${path} has been removed`
    await invocation.output.answer({ json: { hash, path, username }, ids: [hash], text })
  },
})

const prune = command({
  name: 'prune',
  summary: 'Remove expired links; a running daemon does this 30 days later',
  operations: ['shares.prune'],
  options: [new Option('--dry-run', 'list them without removing anything'), new Option('-y, --yes', 'do not ask')],
  examples: [
    ['shares prune --dry-run', 'changes nothing'],
    ['shares prune --yes', 'from a timer or cron job'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const isDry = invocation.values['dryRun'] === true
    const expired = await door.call(pruneShares, { query: { dryRun: true } })
    if (!isDry && expired.length > 0)
      await confirmOrFail(invocation, `Remove ${counted(expired.length, 'expired link')}?`)
    const pruned = isDry ? expired : await door.call(pruneShares, { query: {} })
    const text = pruned.map(lineOf).join('\n') || 'no link has expired'
    await invocation.output.answer({
      json: pruned.map(({ hash, path }) => ({ hash, path })),
      ids: pruned.map(({ hash }) => hash),
      text,
    })
  },
})

function lineOf({ hash, path }: ShareView): string {
  return `${hash} ${path}`
}

async function answerWith(invocation: Invocation, door: Door, details: ShareDetails): Promise<void> {
  const listed = listedShare(details, await shareAddress(invocation, door), Date.now())
  await invocation.output.answer(oneShare(listed, invocation.output))
}

function ownerFrom({ values: { user } }: Invocation): { user?: string } {
  return typeof user === 'string' ? { user } : {}
}

export const shares: CommandGroup = { commands: [list, show, arrivals, uploads, cancel, add, set, remove, prune] }

/** A share as commands print it, with its address. Times are ISO 8601; null means never or unknown. */
export interface ListedShare extends Omit<
  ShareDetails,
  'userID' | 'expire' | 'created' | 'lastOpened' | 'lastArrived'
> {
  readonly userId: ShareDetails['userID']
  readonly url: string
  readonly expires: string | null
  /** Seconds until then. */
  readonly remaining: number | null
  readonly created: string | null
  readonly lastOpened: string | null
  readonly lastArrived: string | null
}

const HEADINGS = ['HASH', 'USER', 'PATH', 'REMAINING', 'PASSWORD', 'OPENED', 'TARGET', 'URL']

/** @param now milliseconds since 1970 */
export function listedShare(share: ShareDetails, address: (hash: string) => string, now: number): ListedShare {
  const { userID, expire, created, lastOpened, lastArrived, ...rest } = share
  return {
    ...rest,
    userId: userID,
    url: address(share.hash),
    expires: timeOf(expire),
    remaining: expire === 0 ? null : Math.max(0, expire - Math.floor(now / 1000)),
    created: timeOf(created),
    lastOpened: timeOf(lastOpened),
    lastArrived: timeOf(lastArrived),
  }
}

/** Links as a table, as JSON, or as their hashes. */
export function shareList(shares: readonly ListedShare[], style: TableStyle): Answer {
  const rows = shares.map((share) => [
    share.hash,
    share.username,
    share.path,
    remainingOf(share),
    share.hasPassword ? 'yes' : 'no',
    String(share.openings),
    share.target,
    share.url,
  ])
  return {
    json: shares,
    ids: shares.map(({ hash }) => hash),
    text: () => drawTable(HEADINGS, rows, style, ['URL', 'TARGET', 'OPENED', 'PASSWORD']),
  }
}

/** Every field of one link. */
export function oneShare(share: ListedShare, style: TableStyle): Answer {
  const rows = [
    ['hash', share.hash],
    ['url', share.url],
    ['path', share.path],
    ['user', share.username],
    ['expires', share.expires ?? 'never'],
    ['remaining', remainingOf(share)],
    ['password', share.hasPassword ? 'yes' : 'no'],
    ['created', share.created ?? 'unknown'],
    ['openings', String(share.openings)],
    ['last opened', share.lastOpened ?? 'never'],
    ['target', share.target],
    ...termRows(share),
  ]
  return { json: share, ids: [share.hash], text: () => drawTable(['FIELD', 'VALUE'], rows, style) }
}

/** The two largest units: "6d 23h". */
function remainingOf({ remaining }: ListedShare): string {
  if (remaining === null) return 'permanent'
  const parts = [
    [Math.floor(remaining / 86_400), 'd'],
    [Math.floor(remaining / 3600) % 24, 'h'],
    [Math.floor(remaining / 60) % 60, 'm'],
    [remaining % 60, 's'],
  ] as const
  const first = parts.findIndex(([amount]) => amount > 0)
  const shown = first < 0 ? parts.slice(-1) : parts.slice(first, first + 2)
  return shown.map(([amount, unit]) => `${amount}${unit}`).join(' ')
}

function timeOf(seconds: number): string | null {
  return seconds === 0 ? null : new Date(seconds * 1000).toISOString()
}
