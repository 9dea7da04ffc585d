import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { nameOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../api/client.ts'
import { useTextPart, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Segmented } from '../../../kit/button/toggles.tsx'
import { Dialog, DialogLead } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { Spinner } from '../../../kit/feedback/progress.tsx'
import { byExpiry, keepExpiry, lastExpiry, toDuration } from '../expiry.ts'
import { ShareFields, ShareProblem, useShareForm } from '../share-form.tsx'
import { type CreatedShare, ShareList } from '../share-list.tsx'
import { sharesOfPathQuery } from '../../queries/shares-query.ts'
import { isPlain, termsInput, termsOf } from '../terms-fields.tsx'
import { People } from '../granted/people.tsx'
import styles from '../granted/granted.module.css'
import { createShare } from '../../../../../src/api/shares/shares.ts'
import { useCopy, useShareLinks } from '../share-links.ts'

/** The current content of the dialog. */
interface Content {
  readonly title: string
  readonly body: ReactNode
  readonly footer?: ReactNode
  readonly onSubmit?: () => void
}

interface Shared {
  readonly path: VirtualPath
  readonly isDir: boolean
}

/** The links of one file or folder, or a form to create the first. */
export function SharePrompt({ item, close }: { readonly item: Shared } & PromptProps<never>) {
  useTextPart('shares')
  const t = useText()
  const client = useClient()
  const { data, error, refetch } = useQuery({ ...sharesOfPathQuery(client, item.path), retry: false })
  const [adding, setAdding] = useState(false)
  const [tab, setTab] = useState<Tab>('links')
  const [made, setMade] = useState<CreatedShare>()
  const newShare = useNewShare(item, (share) => {
    setMade(share)
    setAdding(false)
  })
  const name = nameOf(item.path) || t('files.root')
  const title = t('shares.shareTitle', { name })
  const shares = data?.toSorted(byExpiry)

  const content = (): Content => {
    if (tab === 'people')
      return {
        title,
        body: <People path={item.path} isDir={item.isDir} />,
        footer: (
          <Button variant="primary" onClick={() => close()}>
            {t('shares.done')}
          </Button>
        ),
      }
    if (shares === undefined && error !== null) {
      const again = <Button onClick={() => void refetch()}>{t('shares.retry')}</Button>
      return { title, body: <ShareProblem error={error} />, footer: again }
    }
    if (shares === undefined) return { title, body: <Waiting /> }
    if (adding || shares.length === 0) {
      const back = (): void => (shares.length === 0 ? close() : setAdding(false))
      return {
        title: adding ? t('shares.newTitle', { name }) : title,
        onSubmit: newShare.submit,
        body: (
          <>
            <ShareFields form={newShare.form} isFolder={item.isDir} isNew />
            <ShareProblem error={newShare.error} />
          </>
        ),
        footer: (
          <>
            <Button onClick={back}>{t('files.cancel')}</Button>
            <Button
              type="submit"
              variant="primary"
              icon="link"
              autoFocus
              data-autofocus=""
              progress={newShare.isBusy ? 'busy' : 'idle'}
            >
              {t('shares.createAndCopy')}
            </Button>
          </>
        ),
      }
    }
    return {
      title,
      body: <ShareList shares={shares} made={made} />,
      footer: (
        <>
          <DialogLead>
            <Button icon="plus" onClick={() => setAdding(true)}>
              {t('shares.newLink')}
            </Button>
          </DialogLead>
          <Button onClick={() => close()}>{t('shares.done')}</Button>
        </>
      ),
    }
  }
  const { body, ...rest } = content()
  return (
    <Dialog size="medium" onClose={() => close()} {...rest}>
      {!adding && <Tabs tab={tab} onTab={setTab} />}
      {body}
    </Dialog>
  )
}

const TABS = ['links', 'people'] as const
type Tab = (typeof TABS)[number]

/** By links that anyone can open, or with people who have an account here. */
function Tabs({ tab, onTab }: { readonly tab: Tab; readonly onTab: (tab: Tab) => void }) {
  const t = useText()
  const options = TABS.map((value) => ({
    value,
    label: t(value === 'links' ? 'shell.shares' : 'shares.people'),
  }))
  return (
    <div className={styles['tabs']}>
      <Segmented label={t('actions.share')} options={options} value={tab} onChange={onTab} />
    </div>
  )
}

function Waiting() {
  const t = useText()
  return (
    <div role="status">
      <Spinner size={24} />
      <span className="visually-hidden">{t('shares.loading')}</span>
    </div>
  )
}

/** Creates a link from the form and copies it. */
function useNewShare(item: Shared, onMade: (made: CreatedShare) => void) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const copy = useCopy()
  const links = useShareLinks()
  const form = useShareForm(() => lastExpiry(localStorage))
  const create = useMutation({
    mutationFn: async () => {
      const password = form.password.trim()
      const path = item.isDir ? `${item.path}/` : item.path
      const terms = termsOf(form.terms)
      const body = {
        password,
        ...toDuration(form.expiry, new Date()),
        ...(isPlain(terms) ? {} : { terms }),
        ...(form.terms.slug === '' ? {} : { slug: form.terms.slug }),
      }
      const making = client.call(createShare, { params: { '*': path }, query: {}, body })
      const copied = await copy({ text: making.then(links.page), success: t('shares.createdAndCopied'), quiet: true })
      const share = await making
      keepExpiry(localStorage, form.expiry)
      await queries.invalidateQueries({ queryKey: ['shares'] })
      return { hash: share.hash, password, copied }
    },
    onSuccess: (made) => {
      form.setPassword('')
      form.setTerms(termsInput())
      onMade(made)
    },
  })
  return {
    form,
    isBusy: create.isPending,
    /** Why it could not be created. */
    error: create.error,
    submit() {
      if (!create.isPending && form.check()) create.mutate()
    },
  }
}
