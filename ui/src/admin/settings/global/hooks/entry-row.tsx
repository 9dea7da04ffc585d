import { type ReactNode, useState } from 'react'
import { useText } from '../../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../../kit/button/button.tsx'
import { Badge } from '../../../../kit/feedback/note.tsx'
import { Switch } from '../../../../kit/fields/checkbox.tsx'
import styles from './hooks.module.css'

interface EntryRowProps<Trial> {
  /** What it is called in labels. */
  readonly name: string
  readonly enabled: boolean
  readonly line: ReactNode
  /** Shown below the line; false ones are left out. */
  readonly facts: readonly (string | false)[]
  /** More buttons. */
  readonly children: ReactNode
  readonly onSwitch: (on: boolean) => Promise<void>
  readonly onRemove: () => Promise<void>
  /** @returns undefined if the server refused */
  readonly onTest: () => Promise<Trial | undefined>
  readonly trialOf: (trial: Trial, close: () => void) => ReactNode
  readonly editorOf: (label: string, close: () => void) => ReactNode
}

/** A hook or webhook in its list: switched, tested, edited in place and removed. */
export function EntryRow<Trial>(props: EntryRowProps<Trial>) {
  const { name, enabled, line, facts, children, onSwitch, onRemove, onTest, trialOf, editorOf } = props
  const t = useText()
  const [trial, setTrial] = useState<Trial>()
  const [editing, setEditing] = useState(false)
  const [testing, setTesting] = useState(false)
  const editLabel = t('users.editOne', { name })
  const test = async (): Promise<void> => {
    setTesting(true)
    const ended = await onTest()
    setTrial(() => ended)
    setTesting(false)
  }
  return (
    <li className={styles['hook']}>
      <Switch
        checked={enabled}
        onChange={(on) => void onSwitch(on)}
        aria-label={t('hooks.switch', { command: name })}
      />
      <div className={styles['line']}>
        {line}
        <span className="subtle tiny">{facts.filter(Boolean).join(' · ')}</span>
      </div>
      <div className={styles['buttons']}>
        <Button
          size="small"
          variant="ghost"
          icon="play"
          progress={testing ? 'busy' : 'idle'}
          onClick={() => void test()}
        >
          {t('hooks.test')}
        </Button>
        <IconButton icon="sliders" label={editLabel} aria-expanded={editing} onClick={() => setEditing(!editing)} />
        {children}
        <IconButton icon="trash" label={t('hooks.remove', { command: name })} onClick={() => void onRemove()} />
      </div>
      {editing && editorOf(editLabel, () => setEditing(false))}
      {trial !== undefined && trialOf(trial, () => setTrial(undefined))}
    </li>
  )
}

interface TrialResultProps {
  readonly succeeded: boolean
  readonly text: string
  readonly closeLabel: string
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** How a test ended. */
export function TrialResult({ succeeded, text, closeLabel, onClose, children }: TrialResultProps) {
  return (
    <div className={styles['trial']} role="status">
      <div className={styles['ended']}>
        <Badge tone={succeeded ? 'ok' : 'danger'}>{text}</Badge>
        <IconButton icon="x" size="small" label={closeLabel} onClick={onClose} />
      </div>
      {children}
    </div>
  )
}

/** Cancels or saves the form of an entry. */
export function EditorButtons({ busy, onCancel }: { readonly busy: boolean; readonly onCancel: () => void }) {
  const t = useText()
  return (
    <div className={styles['choices']}>
      <Button size="small" onClick={onCancel}>
        {t('files.cancel')}
      </Button>
      <Button type="submit" variant="primary" size="small" progress={busy ? 'busy' : 'idle'}>
        {t('settings.save')}
      </Button>
    </div>
  )
}
