import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { listAudit } from '../../../../../../src/api/server/audit.ts'
import type { PlaceView } from '../../../../../../src/domain/accounts/place.ts'
import type { AuditEntry } from '../../../../../../src/domain/server/audit.ts'
import {
  cleanVirtualPath,
  isInside,
  nameOf,
  parentOf,
  relativeTo,
  ROOT,
  type VirtualPath,
} from '../../../../../../src/domain/files/virtual-path.ts'
import { type Client, useClient } from '../../../../api/client.ts'
import { problemOf, problemText } from '../../../../common/problem-text.ts'
import { useFormat, useNow } from '../../../../i18n/use-format.ts'
import { type MessageId, useText, useTextPart } from '../../../../i18n/use-text.tsx'
import { Spinner } from '../../../../kit/feedback/progress.tsx'
import { plainName } from '../../../../lib/plain-name.ts'
import { placesQuery } from '../../../queries/places-query.ts'
import { EFFECT_TEXTS } from './effect-texts.ts'
import styles from './details.module.css'

/** Most entries, and most earlier paths of the file. */
const MAX_ENTRIES = 10
const MAX_PATHS = 5

/** Who did what with a file or folder, from the activity log: for administrators, who alone may read it. */
export function FileHistory({ path }: { readonly path: VirtualPath }) {
  useTextPart('admin')
  const t = useText()
  const headId = useId()
  const client = useClient()
  const { data: places } = useQuery(placesQuery(client))
  const logged = places && loggedPath(places, path)
  const { data, error } = useQuery({
    // By its own first word: events that concern the log refetch it.
    queryKey: ['audit', 'of', logged],
    queryFn: async ({ signal }) => await readHistory(client, logged ?? ROOT, signal),
    enabled: logged !== undefined,
    staleTime: 0,
    retry: false,
  })
  return (
    <section className={styles['history']} aria-labelledby={headId}>
      <h3 id={headId}>{t('audit.title')}</h3>
      {data === undefined && error === null && <Spinner size={16} />}
      {error && <p className={styles['problem']}>{problemText(t, problemOf(error))}</p>}
      {data?.length === 0 && <p className={styles['subtle']}>{t('audit.none')}</p>}
      {data !== undefined && data.length > 0 && (
        <ul>
          {data.map((entry, index) => (
            <Entry key={`${entry.time} ${index}`} entry={entry} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const { who, time, target, destination } = entry
  const date = new Date(time)
  const label = labelOf(entry)
  const names = target !== undefined && destination !== undefined && placesIn(target, destination)
  return (
    <li>
      <p>
        {label && t(label)} · <bdi>{who}</bdi>
      </p>
      {names && (
        <p className={styles['subtle']}>
          <bdi>{names[0] || t('files.root')}</bdi> → <bdi>{names[1] || t('files.root')}</bdi>
        </p>
      )}
      <time className={styles['subtle']} dateTime={time} title={format.dateTime(date)}>
        {format.relativeTime(date, now)}
      </time>
    </li>
  )
}

/** How the log names a path of the user; undefined if it is in no place. */
function loggedPath(places: readonly PlaceView[], path: VirtualPath): string | undefined {
  const place = places.find(({ path: top }) => isInside(top as VirtualPath, path))
  if (place?.logged === undefined) return undefined
  const rest = relativeTo(place.path as VirtualPath, path)
  // "/" and "Photos:/" end with a slash, "/home" and "Photos:/2024" do not.
  return rest === ROOT ? place.logged : place.logged.replace(/\/$/, '') + rest
}

/** The names if it was renamed, else the folders; "" for the served folder. */
function placesIn(...paths: [string, string]): string[] {
  const [from, to] = paths.map((path) => cleanVirtualPath(path)) as [VirtualPath, VirtualPath]
  const isRename = parentOf(from) === parentOf(to)
  return [from, to].map((path) => plainName(nameOf(isRename ? path : parentOf(path))))
}

function labelOf({ action, effect }: AuditEntry): MessageId | undefined {
  if (effect !== undefined) return EFFECT_TEXTS[effect]
  return action === 'shares.create' ? 'details.shared' : undefined
}

/** What was done, newest first; before it was renamed or moved, at its earlier paths. */
async function readHistory(client: Client, logged: string, signal: AbortSignal): Promise<AuditEntry[]> {
  const history: AuditEntry[] = []
  let path: string | undefined = logged
  let before: string | undefined
  for (let turn = 0; turn < MAX_PATHS && path !== undefined && history.length < MAX_ENTRIES; turn += 1) {
    const target: string = path
    path = undefined
    const query = { target, outcome: 'done', limit: 100, ...(before !== undefined && { before }) } as const
    const { entries } = await client.call(listAudit, { query, signal })
    for (const entry of entries) {
      if (labelOf(entry) === undefined || (entry.target !== target && entry.destination !== target)) continue
      history.push(entry)
      const hasCome = entry.destination === target
      if (hasCome && entry.effect === 'moved') {
        path = entry.target
        before = entry.time
        break
      }
      // Something else was there before.
      if (hasCome || (entry.effect === 'created' && entry.target === target)) break
    }
  }
  return history.slice(0, MAX_ENTRIES)
}
