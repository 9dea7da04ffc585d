import { Fragment } from 'react'
import { isBucketUrl } from '../../../../src/domain/server/addresses.ts'
import { FILES_ROOT, type RootView } from '../../../../src/domain/server/root.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Badge } from '../../kit/feedback/note.tsx'
import { Progress } from '../../kit/feedback/progress.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { Avatar } from '../../kit/text/names.tsx'
import { classNames } from '../../lib/class-names.ts'
import { sentence } from '../../lib/format.ts'
import styles from './roots.module.css'
import type { RootActions } from './use-root-actions.ts'
import { iconOfRoot, isAway } from './use-roots.ts'

/** The smallest free part of a disk that is not worth a warning. */
const ENOUGH_FREE = 0.1
/** Faces before the number of people. */
const FACES = 3
/** Groups that are named beside them. */
const NAMED = 2

interface RootRowProps {
  readonly root: RootView
  readonly actions: RootActions
}

/** A root with how it is, how much fits into it, and who has it. */
export function RootRow({ root, actions }: RootRowProps) {
  const t = useText()
  const { name, location } = root
  return (
    <li className={classNames(styles['root'], isAway(root) && styles['is-away'])}>
      <span className={styles['disc']}>
        <Icon name={iconOfRoot(root)} size={20} />
      </span>
      <div className={styles['words']}>
        <p className={classNames('strong clip', styles['name'])} title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className="tiny subtle mono clip" title={location}>
          <bdi dir="ltr">{location}</bdi>
        </p>
        <Marks root={root} />
      </div>
      <Free root={root} />
      <People root={root} onOpen={() => void actions.people(root)} />
      <MenuButton label={t('users.moreFor', { name })} size="small" entries={() => entriesOf(t, root, actions)} />
    </li>
  )
}

function entriesOf(t: ReturnType<typeof useText>, root: RootView, actions: RootActions): readonly MenuEntry[] {
  const people: MenuEntry = { label: t('roots.people'), icon: 'users', run: () => void actions.people(root) }
  if (root.id === FILES_ROOT)
    return [people, { label: t('roots.serverOptions'), icon: 'sliders', run: actions.serverOptions }]
  return [
    { label: t('users.edit'), icon: 'rename', run: () => void actions.edit(root) },
    people,
    { kind: 'separator' },
    { label: t('roots.remove'), icon: 'trash', danger: true, run: () => void actions.remove(root) },
  ]
}

function Marks({ root }: { readonly root: RootView }) {
  const t = useText()
  const format = useFormat()
  const { readOnly, trashDays, quota } = root
  return (
    <p className={styles['marks']}>
      <StateBadge root={root} />
      {readOnly && <Badge icon="lock">{t('roots.readOnly')}</Badge>}
      {!readOnly && <Badge>{trashDays === 0 ? t('roots.noTrash') : t('roots.trash', { count: trashDays })}</Badge>}
      {quota > 0 && <Badge>{t('roots.quota', { size: format.bytes(quota) })}</Badge>}
    </p>
  )
}

function StateBadge({ root }: { readonly root: RootView }) {
  const t = useText()
  if (isAway(root)) {
    return (
      <Badge tone="danger" icon="offline">
        {t('roots.away')}
      </Badge>
    )
  }
  if (isNearlyFull(root)) {
    return (
      <Badge tone="warning" icon="alert">
        {t('roots.nearlyFull')}
      </Badge>
    )
  }
  return (
    <Badge tone="ok" icon="check">
      {t('roots.here')}
    </Badge>
  )
}

function isNearlyFull({ total = 0, free = 0 }: RootView): boolean {
  return total > 0 && free / total < ENOUGH_FREE
}

/** The room in it, or why it is away. */
function Free({ root }: { readonly root: RootView }) {
  const t = useText()
  const format = useFormat()
  const { location, total, free, problem } = root
  if (isAway(root)) {
    return (
      <div className={styles['free']}>
        <span>{t('roots.unreachable')}</span>
        {problem !== undefined && (
          <details>
            <summary>{t('details.title')}</summary>
            <span lang="en" dir="auto">
              {sentence(problem)}
            </span>
          </details>
        )}
      </div>
    )
  }
  if (total === undefined || free === undefined || total === 0)
    return <div className={styles['free']}>{isBucketUrl(location) && <span>{t('roots.noLimit')}</span>}</div>
  const text = t('roots.free', { free: format.bytes(free), total: format.bytes(total) })
  return (
    <div className={styles['free']}>
      <Progress
        value={1 - free / total}
        tone={isNearlyFull(root) ? 'warning' : 'accent'}
        label={t('roots.spaceUsed')}
        valueText={text}
      />
      <span className="num">{text}</span>
    </div>
  )
}

interface PeopleProps {
  readonly root: RootView
  readonly onOpen: () => void
}

function People({ root: { name, people }, onOpen }: PeopleProps) {
  const t = useText()
  const { users, groups } = people
  const faces = [...users.map(({ username }) => username), ...groups.map((group) => group.name)].slice(0, FACES)
  const texts = [
    ...(users.length > 0 ? [t('roots.persons', { count: users.length })] : []),
    ...groups.slice(0, NAMED).map((group) => group.name),
    ...(groups.length > NAMED ? [t('users.more', { count: groups.length - NAMED })] : []),
  ]
  return (
    <button type="button" className={classNames('touch', styles['faces'])} onClick={onOpen}>
      {faces.map((face, index) => (
        <Avatar key={index} name={face} />
      ))}
      <span className="visually-hidden">{t('roots.peopleOf', { name })}</span>
      <span className={styles['who']}>
        {texts.length === 0 && t('roots.nobody')}
        {texts.map((text, index) => (
          <Fragment key={index}>
            {index > 0 && ' · '}
            <bdi>{text}</bdi>
          </Fragment>
        ))}
      </span>
    </button>
  )
}
