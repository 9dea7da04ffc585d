import { useId, useState } from 'react'
import { type GivenPlace, requirePlaceName } from '../../../../src/domain/accounts/place.ts'
import { cleanVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { RootId } from '../../../../src/domain/ids.ts'
import { FILES_ROOT, type RootView } from '../../../../src/domain/server/root.ts'
import { useText, useTextPart } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { rootOfId } from '../roots/use-roots.ts'
import { PermissionRules } from '../rules/permission-rules.tsx'
import { RulesEditor } from '../rules/rules-editor.tsx'
import { PlaceFolder, PlacePermissions } from './place-fields.tsx'
import { EMPTY_PLACE, withPermissions } from './place-model.ts'
import styles from './places.module.css'

interface PlacePromptProps {
  readonly roots: readonly RootView[]
  /** Undefined for a new one. */
  readonly place: GivenPlace | undefined
}

const MAX_NAME = 64

/** Asks for a folder of a root, and what holds there. Nothing is saved yet. */
export function PlacePrompt({ roots, place: before, close }: PlacePromptProps & PromptProps<GivenPlace>) {
  useTextPart('groups', 'users', 'fields', 'roots')
  const t = useText()
  const [place, setPlace] = useState<GivenPlace>(() => before ?? newPlace(roots))
  const set = (change: Partial<GivenPlace>): void => setPlace({ ...place, ...change })
  const root = rootOfId(roots, place.root)
  const isWrong = !isPlaceName(place.name)
  const submit = (): void => {
    if (!isWrong) close({ ...place, name: place.name.trim(), scope: cleanVirtualPath(place.scope) })
  }
  return (
    <Dialog
      size="large"
      title={
        before === undefined ? t('roots.addPlace') : t('users.editOne', { name: before.name || (root?.name ?? '') })
      }
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit">
            {t(before === undefined ? 'roots.addPlace' : 'roots.apply')}
          </Button>
        </>
      }
    >
      <div className={styles['columns']}>
        <SelectField
          label={t('fields.root')}
          options={[
            ...roots.map(({ id, name }) => ({ value: String(id), label: name })),
            ...(root === undefined ? [{ value: String(place.root), label: t('roots.gone') }] : []),
          ]}
          value={String(place.root)}
          onChange={(id) => set({ root: id as RootId })}
        />
        <PlaceFolder root={place.root} value={place.scope} onChange={(scope) => set({ scope })} />
      </div>
      <TextField
        label={t('files.name')}
        hint={t('roots.placeNameHint', { name: root?.name ?? '' })}
        error={isWrong && t('roots.nameWrong')}
        value={place.name}
        maxLength={MAX_NAME}
        autoComplete="off"
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <PlacePermissions
        root={root}
        value={place.permissions}
        onChange={(permissions) => setPlace(withPermissions(place, permissions))}
      />
      <PlaceRules place={place} onChange={set} />
    </Dialog>
  )
}

interface PlaceRulesProps {
  readonly place: GivenPlace
  readonly onChange: (change: Partial<GivenPlace>) => void
}

/** The rules that hold in the place only. */
function PlaceRules({ place: { rules, permissionRules }, onChange }: PlaceRulesProps) {
  const t = useText()
  const id = useId()
  const count = rules.length + permissionRules.length
  const [isOpen] = useState(count > 0)
  return (
    <details className={styles['more']} open={isOpen}>
      <summary>{t('roots.rules', { count })}</summary>
      <p className="small muted">{t('roots.rulesHint')}</p>
      <div className={styles['box']}>
        <RulesEditor
          label={t('rules.title')}
          id={id}
          rules={rules}
          onChange={(next) => onChange({ rules: [...next] })}
        />
      </div>
      <p className="small muted">{t('rules.permissionsText')}</p>
      <div className={styles['box']}>
        <PermissionRules
          id={id}
          rules={permissionRules}
          before={rules.length}
          onChange={(next) => onChange({ permissionRules: [...next] })}
          errors={new Map()}
        />
      </div>
    </details>
  )
}

/** All of the first root beside the served folder. */
function newPlace(roots: readonly RootView[]): GivenPlace {
  return { ...EMPTY_PLACE, root: (roots[1] ?? roots[0])?.id ?? FILES_ROOT }
}

function isPlaceName(name: string): boolean {
  try {
    requirePlaceName(name)
    return true
  } catch {
    return false
  }
}
