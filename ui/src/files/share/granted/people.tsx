import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { createGrant, findPeople, removeGrant, updateGrant } from '../../../../../src/api/shares/grants.ts'
import { GRANT_KINDS, type GrantKind, type GrantView, type Someone } from '../../../../../src/domain/shares/grant.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../api/client.ts'
import { useNow } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { Avatar } from '../../../kit/text/names.tsx'
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
  const [days, setDays] = useState('')
  const { data = [], error } = useQuery({ ...grantsQuery(client, path), retry: false })
  const change = useMutation({
    mutationFn: async (work: () => Promise<unknown>) => await work(),
    onSettled: async () => await queries.invalidateQueries({ queryKey: ['shares'] }),
  })
  const add = ({ kind, name }: Pick<Someone, 'kind' | 'name'>): void => {
    const to = kind === 'group' ? { group: name } : { user: name }
    change.mutate(async () => await client.call(createGrant, { body: { path, to, expires: days, unit: 'days' } }))
  }
  const options = GRANT_KINDS.filter((kind) => isDir || kind !== 'upload').map((value) => ({
    value,
    label: t(KIND_TEXTS[value]),
  }))
  return (
    <div className={styles['people']}>
      <FindPeople onChoose={add} />
      <ShareProblem error={change.error ?? error} />
      {data.length > 0 && (
        <ul className={styles['given']} aria-label={t('shares.whoHas')}>
          {data.map((grant) => (
            <Given
              key={grant.id}
              grant={grant}
              options={options}
              onAllow={(allows) =>
                change.mutate(
                  async () => await client.call(updateGrant, { params: { id: grant.id }, body: { allows } }),
                )
              }
              onEnd={() => change.mutate(async () => await client.call(removeGrant, { params: { id: grant.id } }))}
            />
          ))}
        </ul>
      )}
      <Select
        label={t('shares.expiresAfter')}
        value={days}
        onChange={setDays}
        options={[
          { value: '', label: t('shares.neverExpires') },
          { value: '7', label: t('shares.sevenDays') },
          { value: '30', label: t('shares.thirtyDays') },
        ]}
      />
      <p className="muted">{t('shares.peopleHint')}</p>
    </div>
  )
}

interface GivenProps {
  readonly grant: GrantView
  readonly options: readonly { readonly value: GrantKind; readonly label: string }[]
  readonly onAllow: (allows: GrantKind) => void
  readonly onEnd: () => void
}

function Given({ grant: { to, allows, expires }, options, onAllow, onEnd }: GivenProps) {
  const t = useText()
  const now = useNow()
  const { name } = to
  return (
    <li>
      {to.kind === 'group' ? <Icon name="users" /> : <Avatar name={name} />}
      <bdi className="clip">{name}</bdi>
      <span>{expires > 0 && <ExpiryBadge share={{ expire: expires }} now={now} />}</span>
      <Select label={t('shares.may', { name })} value={allows} onChange={onAllow} options={options} />
      <IconButton icon="x" size="small" label={t('shares.stopFor', { name })} onClick={onEnd} />
    </li>
  )
}

/** A field that finds people by a part of their names, or takes a whole name. */
function FindPeople({ onChoose }: { readonly onChoose: (one: Pick<Someone, 'kind' | 'name'>) => void }) {
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
    setTyped('')
    setActive(0)
    onChoose(one)
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
