import type { ReactNode } from 'react'
import { type GivenPlace, MAX_PLACES } from '../../../../src/domain/accounts/place.ts'
import type { RootView } from '../../../../src/domain/server/root.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { Badge, ErrorNote } from '../../kit/feedback/note.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { SettingCard } from '../../kit/page/settings.tsx'
import { classNames } from '../../lib/class-names.ts'
import { iconOfRoot, isAway, rootOfId, useRoots } from '../roots/use-roots.ts'
import { FolderText, PermissionsText } from './place-texts.tsx'
import styles from './places.module.css'

const Place = lazyPrompt(async () => (await import('./place-prompt.tsx')).PlacePrompt)

interface PlacesCardProps {
  readonly hint: string
  readonly places: readonly GivenPlace[]
  readonly onChange: (places: readonly GivenPlace[]) => void
  /** Why the server has refused them. */
  readonly error?: ReactNode
}

/** The folders of roots that an account has beside its own, or that a group gives. */
export function PlacesCard({ hint, places, onChange, error }: PlacesCardProps) {
  const t = useText()
  const ask = usePrompt()
  const { roots } = useRoots()
  const edit = async (index: number): Promise<void> => {
    if (roots === undefined) return
    const place = await ask(Place, { roots, place: places[index] })
    if (place !== undefined) onChange(places.toSpliced(index, 1, place))
  }
  return (
    <SettingCard title={t('roots.places')} hint={hint}>
      {places.length > 0 && (
        <ul aria-label={t('roots.places')}>
          {places.map((place, index) => (
            <PlaceRow
              key={index}
              place={place}
              root={rootOfId(roots, place.root)}
              isLoading={roots === undefined}
              onEdit={() => void edit(index)}
              onRemove={() => onChange(places.toSpliced(index, 1))}
            />
          ))}
        </ul>
      )}
      {error && (
        <div className={styles['error']} tabIndex={-1} data-refusal="">
          <ErrorNote>{error}</ErrorNote>
        </div>
      )}
      <div className={styles['foot']}>
        <Button
          size="small"
          icon="plus"
          disabled={roots === undefined || places.length >= MAX_PLACES}
          onClick={() => void edit(places.length)}
        >
          {t('roots.addPlace')}
        </Button>
      </div>
    </SettingCard>
  )
}

interface PlaceRowProps {
  readonly place: GivenPlace
  /** Undefined if it is gone, or loading. */
  readonly root: RootView | undefined
  readonly isLoading: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function PlaceRow({ place, root, isLoading, onEdit, onRemove }: PlaceRowProps) {
  const t = useText()
  const rootName = root?.name ?? (isLoading ? '' : t('roots.gone'))
  const name = place.name || rootName
  const rules = place.rules.length + place.permissionRules.length
  return (
    <li className={styles['row']}>
      <span className={styles['disc']}>
        <Icon name={iconOfRoot(root)} />
      </span>
      <div className={styles['words']}>
        <p className="strong clip" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className="tiny subtle clip">
          {place.name !== '' && (
            <>
              <bdi>{rootName}</bdi>
              {' · '}
            </>
          )}
          <FolderText scope={place.scope} />
        </p>
      </div>
      <p className={classNames('small muted', styles['gives'])}>
        <PermissionsText given={place.permissions} />
        {rules > 0 && ` · ${t('roots.rules', { count: rules })}`}
        {root?.readOnly === true && ` · ${t('roots.readOnly')}`}
        {root !== undefined && isAway(root) && (
          <Badge tone="danger" icon="offline">
            {t('roots.away')}
          </Badge>
        )}
      </p>
      <span className={styles['buttons']}>
        <IconButton icon="rename" size="small" label={t('users.editOne', { name })} onClick={onEdit} />
        <IconButton icon="trash" size="small" label={t('groups.removeOne', { name })} onClick={onRemove} />
      </span>
    </li>
  )
}
