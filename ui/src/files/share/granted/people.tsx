import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { createGrant, findPeople, removeGrant, updateGrant } from '../../../../../src/api/shares/grants.ts'
import {
  GRANT_KINDS,
  type GrantChange,
  type GrantKind,
  type GrantView,
  type Someone,
} from '../../../../../src/domain/shares/grant.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../api/client.ts'
import { useNow } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { Badge } from '../../../kit/feedback/note.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { Avatar } from '../../../kit/text/names.tsx'
import { checkExpiry, type Expiry, expiryFrom, type ExpiryProblem, NEVER, toDuration } from '../expiry.ts'
import { ExpiryFields, PROBLEM_TEXTS } from '../expiry-fields.tsx'
import { ExpiryBadge } from '../share-facts.tsx'
import { ShareProblem } from '../share-form.tsx'
import { grantsQuery } from './granted-query.ts'
import { KIND_TEXTS } from './kind-texts.ts'
import styles from './granted.module.css'

interface PeopleProps {
  readonly path: VirtualPath
  readonly isDir: boolean
}

const MIN_LETTERS = 2

/** With whom a file or folder is shared on this server. Each change takes effect at once. */
export function People({ path, isDir }: PeopleProps) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const id = useId()
  const end = useEnd(NEVER)
  const { data = [], error } = useQuery({ ...grantsQuery(client, path), retry: false })
  const change = useMutation({
    mutationFn: async (work: () => Promise<unknown>) => await work(),
    onSettled: async () => await queries.invalidateQueries({ queryKey: ['shares'] }),
  })
  const add = ({ kind, name }: Pick<Someone, 'kind' | 'name'>): boolean => {
    const duration = end.checked()
    if (duration === undefined) return false
    const to = kind === 'group' ? { group: name } : { user: name }
    change.mutate(async () => await client.call(createGrant, { body: { path, to, ...duration } }))
    return true
  }
  const edit = ({ id }: GrantView, body: GrantChange): void =>
    change.mutate(async () => await client.call(updateGrant, { params: { id }, body }))
  const options = GRANT_KINDS.filter((kind) => isDir || kind !== 'upload').map((value) => ({
    value,
    label: t(KIND_TEXTS[value]),
  }))
  return (
    <div className={styles['people']}>
      <FindPeople onChoose={add} />
      <ExpiryFields {...end.fields} />
      <ShareProblem error={change.error ?? error} />
      {data.length > 0 && (
        <div className={styles['who']}>
          <h3 id={id}>{t('shares.whoHas')}</h3>
          <ul className={styles['given']} aria-labelledby={id}>
            {data.map((grant) => (
              <Given
                key={grant.id}
                grant={grant}
                options={options}
                onEdit={(body) => edit(grant, body)}
                onEnd={() => change.mutate(async () => await client.call(removeGrant, { params: { id: grant.id } }))}
              />
            ))}
          </ul>
        </div>
      )}
      <p className="muted">{t('shares.peopleHint')}</p>
    </div>
  )
}

/** The fields of an end, and what they say. */
function useEnd(initial: Expiry) {
  const t = useText()
  const [expiry, setExpiry] = useState(initial)
  const [problem, setProblem] = useState<ExpiryProblem>()
  const onChange = (next: Expiry): void => {
    setProblem(undefined)
    setExpiry(next)
  }
  return {
    fields: { expiry, problem: problem && t(PROBLEM_TEXTS[problem]), onChange },
    /** For the request. Undefined with a problem, which the fields show from then on. */
    checked(): ReturnType<typeof toDuration> | undefined {
      const now = new Date()
      const found = checkExpiry(expiry, now)
      setProblem(found)
      return found === undefined ? toDuration(expiry, now) : undefined
    },
  }
}

interface GivenProps {
  readonly grant: GrantView
  readonly options: readonly { readonly value: GrantKind; readonly label: string }[]
  readonly onEdit: (change: GrantChange) => void
  readonly onEnd: () => void
}

function Given({ grant: { to, allows, expires, target }, options, onEdit, onEnd }: GivenProps) {
  const t = useText()
  const now = useNow()
  const [editsEnd, setEditsEnd] = useState(false)
  const { name, members } = to
  return (
    <li>
      {to.kind === 'group' ? <Icon name="users" /> : <Avatar name={name} />}
      <span className={styles['person']}>
        <bdi className="clip" title={name}>
          {name}
        </bdi>
        {members !== undefined && <small className="muted">{t('shares.members', { count: members })}</small>}
        {target !== 'bound' && (
          <Badge tone="danger" icon="unlink" title={t('shares.goneText')}>
            {t(target === 'missing' ? 'shares.missing' : 'shares.changed')}
          </Badge>
        )}
      </span>
      <Button
        variant="ghost"
        size="small"
        className={styles['end']}
        aria-expanded={editsEnd}
        onClick={() => setEditsEnd(!editsEnd)}
      >
        <span className="visually-hidden">{t('shares.endFor', { name })}</span>
        <ExpiryBadge share={{ expire: expires }} now={now} />
      </Button>
      <Select
        label={t('shares.may', { name })}
        value={allows}
        onChange={(kind) => onEdit({ allows: kind })}
        options={options}
      />
      <IconButton icon="x" size="small" label={t('shares.stopFor', { name })} onClick={onEnd} />
      {editsEnd && (
        <EditEnd
          expires={expires}
          onClose={(duration) => {
            setEditsEnd(false)
            if (duration !== undefined) onEdit(duration)
          }}
        />
      )}
    </li>
  )
}

interface EditEndProps {
  /** Unix seconds, 0 = never. */
  readonly expires: number
  readonly onClose: (changed?: GrantChange) => void
}

function EditEnd({ expires, onClose }: EditEndProps) {
  const t = useText()
  const end = useEnd(expiryFrom(expires))
  const save = (): void => {
    const duration = end.checked()
    if (duration !== undefined) onClose(duration)
  }
  return (
    <div className={styles['edit-end']}>
      <ExpiryFields {...end.fields} />
      <div>
        <Button size="small" onClick={() => onClose()}>
          {t('files.cancel')}
        </Button>
        <Button size="small" variant="primary" onClick={save}>
          {t('shares.save')}
        </Button>
      </div>
    </div>
  )
}

interface FindPeopleProps {
  /** False if the one cannot be taken now; what was typed stays. */
  readonly onChoose: (one: Pick<Someone, 'kind' | 'name'>) => boolean
}

/** A field that finds people by a part of their names, or takes a whole name. */
function FindPeople({ onChoose }: FindPeopleProps) {
  const t = useText()
  const client = useClient()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const wanted = typed.trim()
  const { data } = useQuery({
    queryKey: ['people', wanted],
    queryFn: async ({ signal }) => await client.call(findPeople, { query: { q: wanted }, signal }),
    enabled: [...wanted].length >= MIN_LETTERS,
    retry: false,
  })
  const found = [...wanted].length >= MIN_LETTERS ? (data ?? []) : []
  const choose = (one: Pick<Someone, 'kind' | 'name'>): void => {
    if (!onChoose(one)) return
    setTyped('')
    setActive(0)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setActive((active + step + found.length) % found.length)
    } else if (event.key === 'Enter' && wanted !== '') {
      event.preventDefault()
      choose(found[active] ?? { kind: 'user', name: wanted })
    }
  }
  return (
    <div className={styles['find']}>
      <TextField
        label={t('shares.addPeople')}
        icon="user-plus"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        data-autofocus=""
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={id}
        role="listbox"
        aria-label={t('shares.addPeople')}
        className={styles['found']}
        hidden={found.length === 0}
      >
        {found.map((one, index) => (
          <div
            key={`${one.kind} ${one.name}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => {
              event.preventDefault()
              choose(one)
            }}
          >
            {one.kind === 'group' ? <Icon name="users" /> : <Avatar name={one.name} />}
            <bdi>{one.name}</bdi>
          </div>
        ))}
      </div>
    </div>
  )
}
