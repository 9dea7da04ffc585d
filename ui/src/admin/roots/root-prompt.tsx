import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { changeRoot, createRoot } from '../../../../src/api/server/roots.ts'
import { isBucketUrl } from '../../../../src/domain/server/addresses.ts'
import { RootChange, type RootView } from '../../../../src/domain/server/root.ts'
import { type FormField, formOf } from '../../../../src/domain/schema/forms.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { CurrentPasswordField, useAsksPassword } from '../../common/confirm-prompt.tsx'
import { refusalOf } from '../../common/refusal.tsx'
import { RichText, useText, useTextPart } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Segmented } from '../../kit/button/toggles.tsx'
import { Dialog, DialogLead } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { ErrorNote } from '../../kit/feedback/note.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { CODE_INPUT } from '../../kit/fields/inputs.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { fieldProblem } from '../forms/form-model.ts'
import { FormRow } from '../forms/form-row.tsx'
import { changeOf, draftOf, type RootDraft, type RootKind } from './root-draft.ts'
import styles from './roots.module.css'
import { rootsInQuery } from './roots-in.ts'

interface RootPromptProps {
  /** Undefined for a new one. */
  readonly root: RootView | undefined
}

type DetailKey = 'trashDays' | 'quota' | 'hidden'

const DETAILS: readonly (FormField & { readonly key: DetailKey })[] = formOf(RootChange)
  .flatMap(({ fields }) => fields)
  .filter((field): field is FormField & { readonly key: DetailKey } =>
    ['trashDays', 'quota', 'hidden'].includes(field.key),
  )

/** Asks what a root is, and saves it. Resolves with it. */
export function RootPrompt({ root, close }: RootPromptProps & PromptProps<RootView>) {
  useTextPart('groups', 'users', 'fields', 'roots')
  const t = useText()
  const form = useRootForm(root, close)
  const { draft, set, error } = form
  return (
    <Dialog
      size="medium"
      title={root === undefined ? t('roots.add') : t('users.editOne', { name: root.name })}
      onClose={() => close()}
      onSubmit={form.submit}
      footer={
        <>
          {root === undefined && (
            <DialogLead>
              <span className="tiny subtle">{t('roots.next')}</span>
            </DialogLead>
          )}
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={!form.isReady} progress={form.busy ? 'busy' : 'idle'}>
            {t(root === undefined ? 'roots.add' : 'settings.save')}
          </Button>
        </>
      }
    >
      {root === undefined && (
        <div className={styles['kind']}>
          <Segmented<RootKind>
            label={t('roots.kind')}
            options={[
              { value: 'folder', label: t('roots.folderKind') },
              { value: 'bucket', label: t('roots.bucketKind') },
            ]}
            value={draft.kind}
            onChange={(kind) => set({ kind })}
          />
        </div>
      )}
      <TextField
        label={t('files.name')}
        hint={t('roots.nameHint')}
        value={draft.name}
        maxLength={64}
        autoComplete="off"
        data-autofocus=""
        error={form.errorOf('name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <LocationField form={form} />
      <div className={styles['choices']}>
        <Checkbox
          checked={draft.readOnly}
          label={
            <>
              {t('roots.readOnly')}
              <span className={styles['hint']}>{t('roots.readOnlyHint')}</span>
            </>
          }
          onChange={(readOnly) => set({ readOnly })}
        />
        <Checkbox checked={draft.index} label={t('roots.index')} onChange={(index) => set({ index })} />
        <Checkbox checked={draft.warnAway} label={t('roots.warn')} onChange={(warnAway) => set({ warnAway })} />
      </div>
      <details className={styles['more']}>
        <summary>{t('roots.more')}</summary>
        {DETAILS.map((field) => (
          <FormRow
            key={field.key}
            field={field}
            form="roots"
            value={draft[field.key]}
            error={form.errorOf(field.key)}
            onChange={(value) => set({ [field.key]: value })}
          />
        ))}
      </details>
      {form.asksPassword && (
        <CurrentPasswordField
          hint={t('actions.currentPasswordHint')}
          value={form.password}
          wrong={error?.field === 'current_password'}
          onChange={form.setPassword}
        />
      )}
      <ErrorNote>{form.problem}</ErrorNote>
    </Dialog>
  )
}

type RootForm = ReturnType<typeof useRootForm>

/** A folder of the server, or a bucket. */
function LocationField({ form: { draft, set, errorOf } }: { readonly form: RootForm }) {
  const t = useText()
  const client = useClient()
  const { data: allowed = [] } = useQuery(rootsInQuery(client))
  const isBucket = draft.kind === 'bucket'
  const here = allowed.filter((location) => isBucketUrl(location) === isBucket)
  return (
    <TextField
      label={t(isBucket ? 'roots.bucket' : 'roots.folder')}
      hint={
        here.length > 0 && (
          <RichText
            id="roots.allowedIn"
            values={{ folders: here.join(' ') }}
            elements={[<bdi key="0" dir="ltr" className="mono" />]}
          />
        )
      }
      value={draft.location}
      placeholder={isBucket ? 's3://bucket/prefix' : '/srv/photos'}
      maxLength={4096}
      {...CODE_INPUT}
      error={errorOf('location')}
      onChange={(event) => set({ location: event.currentTarget.value })}
    />
  )
}

function useRootForm(root: RootView | undefined, close: (root?: RootView) => void) {
  const t = useText()
  const client = useClient()
  const asksPassword = useAsksPassword()
  const [draft, setDraft] = useState<RootDraft>(() => draftOf(root))
  const [password, setPassword] = useState('')
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: async () => {
      const body = { ...changeOf(draft, root), ...(asksPassword && { current_password: password }) }
      return root === undefined
        ? await client.call(createRoot, { body })
        : await client.call(changeRoot, { params: { id: root.id }, body })
    },
    onSuccess: (saved) => close(saved),
  })
  const refused = error instanceof ApiError ? error : undefined
  const wrongDetails = DETAILS.flatMap((field) => {
    const problem = fieldProblem(field, draft[field.key])
    return problem === undefined ? [] : [[field.key, t(problem.id, problem.values)] as const]
  })
  const isReady =
    draft.name.trim() !== '' &&
    draft.location.trim() !== '' &&
    wrongDetails.length === 0 &&
    (!asksPassword || password !== '')
  const isAtField = (key: string): boolean => refused?.field === key || refused?.field?.startsWith(`${key}.`) === true
  return {
    draft,
    password,
    asksPassword,
    isReady,
    busy: isPending,
    error: refused,
    /** What concerns no field. */
    problem: error !== null && !isAtField('current_password') && !FIELDS.some(isAtField) && refusalOf(error),
    errorOf(key: (typeof FIELDS)[number]): ReactNode {
      const wrong = wrongDetails.find(([name]) => name === key)
      if (wrong !== undefined) return wrong[1]
      return refused !== undefined && isAtField(key) && refusalAt(t, key, refused)
    },
    set(change: Partial<RootDraft>) {
      reset()
      setDraft({ ...draft, ...change })
    },
    setPassword(next: string) {
      reset()
      setPassword(next)
    },
    submit() {
      if (isReady && !isPending) mutate()
    },
  }
}

const FIELDS = ['name', 'location', ...DETAILS.map(({ key }) => key)] as const

function refusalAt(t: ReturnType<typeof useText>, key: string, error: ApiError): ReactNode {
  if (key === 'location' && error.code === 'FORBIDDEN') return t('roots.notAllowed')
  if (key === 'location' && error.code === 'CONFLICT') return t('roots.locationTaken')
  return refusalOf(error)
}
