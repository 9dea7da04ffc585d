import { useQuery } from '@tanstack/react-query'
import { usePageTitle } from '../../api/page-config.tsx'
import { useClient } from '../../api/client.ts'
import { RichText, useLocale, useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { Note } from '../../kit/feedback/note.tsx'
import { Spinner } from '../../kit/feedback/progress.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Page } from '../../kit/page/page.tsx'
import { classNames } from '../../lib/class-names.ts'
import type { RootView } from '../../../../src/domain/server/root.ts'
import { RootRow } from './root-row.tsx'
import styles from './roots.module.css'
import { rootsInQuery } from './roots-in.ts'
import { useRootActions } from './use-root-actions.ts'
import { isAway, useRoots } from './use-roots.ts'

/** All roots: how each is, and who has it. */
export function RootsPage() {
  const t = useText()
  usePageTitle(t('settings.roots'))
  const { roots, isFetching, lookAgain } = useRoots()
  const actions = useRootActions()
  const away = roots?.filter((root) => isAway(root) && root.warnAway) ?? []
  const add = (
    <Button variant="primary" icon="plus" onClick={() => void actions.add()}>
      {t('roots.add')}
    </Button>
  )
  return (
    <Page wide title={t('settings.roots')} hint={t('roots.text')} actions={add}>
      {away.length > 0 && <AwayNote away={away} busy={isFetching} onLook={lookAgain} />}
      {roots === undefined ? (
        <div className={styles['wait']} role="status">
          <Spinner size={24} />
        </div>
      ) : (
        <ul className={styles['roots']} aria-label={t('settings.roots')}>
          {roots.map((root) => (
            <RootRow key={root.id} root={root} actions={actions} />
          ))}
        </ul>
      )}
      {roots?.length === 1 && (
        <EmptyState art={<Icon name="drive" size={56} />} title={t('roots.none')}>
          <p>{t('roots.noneText')}</p>
          <WhereAllowed />
        </EmptyState>
      )}
    </Page>
  )
}

interface AwayNoteProps {
  readonly away: readonly RootView[]
  readonly busy: boolean
  readonly onLook: () => void
}

function AwayNote({ away, busy, onLook }: AwayNoteProps) {
  const t = useText()
  const names = new Intl.ListFormat(useLocale()).format(away.map(({ name }) => name))
  return (
    <Note icon="offline" tone="danger" role="alert">
      <div className={styles['away-note']}>
        <span>{t('roots.areAway', { names })}</span>
        <Button size="small" progress={busy ? 'busy' : 'idle'} onClick={onLook}>
          {t('roots.lookAgain')}
        </Button>
      </div>
    </Note>
  )
}

const CODE = <bdi dir="ltr" className={classNames('mono', styles['code'])} />

/** Where roots may be added on the web: the operator decides. */
function WhereAllowed() {
  const client = useClient()
  const { data: allowed } = useQuery(rootsInQuery(client))
  if (allowed === undefined) return null
  return (
    <p className={styles['allowed']}>
      <RichText
        id={allowed.length === 0 ? 'roots.allowedNowhere' : 'roots.allowedIn'}
        values={{ folders: allowed.join(' ') }}
        elements={[CODE, CODE]}
      />
    </p>
  )
}
