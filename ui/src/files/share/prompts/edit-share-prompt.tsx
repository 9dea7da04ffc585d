import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { updateShare } from '../../../../../src/api/shares/shares.ts'
import type { ShareDetails } from '../../../../../src/domain/shares/share.ts'
import { useClient } from '../../../api/client.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { NewPassword, ShareFields, ShareProblem, useShareForm } from '../share-form.tsx'
import { expiryFrom, isSameExpiry, toDuration } from '../expiry.ts'
import { shareName } from '../share-links.ts'
import { termsInput, termsOf } from '../terms-fields.tsx'

interface EditSharePromptProps extends PromptProps<never> {
  readonly share: ShareDetails
}

/** Changes an existing link. */
export function EditSharePrompt({ share, close }: EditSharePromptProps) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [before] = useState(() => expiryFrom(share.expire))
  const form = useShareForm(
    () => before,
    () => termsInput(share.terms),
  )
  const [newPassword, setNewPassword] = useState<string>()
  const password = form.removesPassword ? '' : form.password.trim()
  const sameExpiry = isSameExpiry(before, form.expiry)
  const terms = termsOf(form.terms)
  const sameTerms = JSON.stringify(terms) === JSON.stringify(termsOf(termsInput(share.terms)))
  const unchanged = sameExpiry && sameTerms && password === '' && !form.removesPassword
  const save = useMutation({
    mutationFn: async () => {
      const change = {
        ...(sameExpiry ? {} : toDuration(form.expiry, new Date())),
        ...(form.removesPassword || password !== '' ? { password } : {}),
        ...(sameTerms ? {} : { terms }),
      }
      return await client.call(updateShare, { params: { hash: share.hash }, body: change })
    },
    onSuccess: async () => {
      toasts.success(t('shares.saved'))
      if (password === '') close()
      else setNewPassword(password)
      await queries.invalidateQueries({ queryKey: ['shares'] })
    },
  })
  const submit = (): void => {
    // An unchanged expiry may have passed by now.
    if (!save.isPending && !unchanged && form.check(sameExpiry)) save.mutate()
  }
  const title = t('shares.editTitle', { name: shareName(share) || t('files.root') })
  if (newPassword !== undefined) {
    return (
      <Dialog
        title={title}
        onClose={() => close()}
        footer={
          <Button variant="primary" autoFocus onClick={() => close()}>
            {t('shares.done')}
          </Button>
        }
      >
        <NewPassword password={newPassword} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={title}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button type="submit" variant="primary" disabled={unchanged} progress={save.isPending ? 'busy' : 'idle'}>
            {t('shares.save')}
          </Button>
        </>
      }
    >
      <ShareFields form={form} isFolder={share.isDir} hasPassword={share.hasPassword} />
      <ShareProblem error={save.error} />
    </Dialog>
  )
}

interface DeleteSharesPromptProps extends PromptProps<boolean> {
  readonly shares: readonly ShareDetails[]
}

/** Asks before deleting links, which never work again. The safe button has the focus. */
export function DeleteSharesPrompt({ shares, close }: DeleteSharesPromptProps) {
  const t = useText()
  const count = shares.length
  const name = (shares[0] && shareName(shares[0])) || t('files.root')
  return (
    <Dialog
      alert
      title={t('shares.deleteTitle', { count, name })}
      onClose={() => close()}
      footer={
        <>
          <Button data-autofocus="" onClick={() => close()}>
            {t('shares.keep', { count })}
          </Button>
          <Button variant="danger" onClick={() => close(true)}>
            {t('shares.delete', { count })}
          </Button>
        </>
      }
    >
      <p>{t('shares.deleteText', { count })}</p>
    </Dialog>
  )
}
