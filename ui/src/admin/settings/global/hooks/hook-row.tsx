import { useState } from 'react'
import type { Hook, HookTrial } from '../../../../../../src/domain/hook.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../../kit/button/button.tsx'
import { Switch } from '../../../../kit/fields/checkbox.tsx'
import styles from './hooks.module.css'
import { HookEditor } from './hook-editor.tsx'
import { HookOutput } from './hook-output.tsx'
import type { Hooks } from './use-hooks.ts'

interface HookRowProps {
  readonly hook: Hook
  /** It and those that run before and after it. */
  readonly peers: readonly Hook[]
  readonly hooks: Hooks
}

export function HookRow({ hook, peers, hooks }: HookRowProps) {
  const t = useText()
  const [trial, setTrial] = useState<HookTrial>()
  const [editing, setEditing] = useState(false)
  const [testing, setTesting] = useState(false)
  const { line, enabled, waits, timeout, onFailure, event } = hook
  const place = peers.indexOf(hook)
  const editLabel = t('users.editOne', { name: line })
  const test = async (): Promise<void> => {
    setTesting(true)
    setTrial(await hooks.test(hook))
    setTesting(false)
  }
  const facts = [
    t('hooks.limit', { seconds: timeout }),
    !waits && t('hooks.nobodyWaits'),
    waits && event.startsWith('before_') && (onFailure === 'refuse' ? t('hooks.refuses') : t('hooks.ignores')),
  ].filter(Boolean)
  return (
    <li className={styles['hook']}>
      <Switch
        checked={enabled}
        onChange={(on) => void hooks.switchTo(hook, on)}
        aria-label={t('hooks.switch', { command: line })}
      />
      <div className={styles['line']}>
        <code dir="ltr">{line}</code>
        <span className="subtle tiny">{facts.join(' · ')}</span>
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
        <IconButton
          icon="up"
          label={t('hooks.earlier', { command: line })}
          disabled={place === 0}
          onClick={() => void hooks.move(hook, place - 1)}
        />
        <IconButton
          icon="down"
          label={t('hooks.later', { command: line })}
          disabled={place === peers.length - 1}
          onClick={() => void hooks.move(hook, place + 1)}
        />
        <IconButton icon="trash" label={t('hooks.remove', { command: line })} onClick={() => void hooks.remove(hook)} />
      </div>
      {editing && <HookEditor hook={hook} hooks={hooks} label={editLabel} onClose={() => setEditing(false)} />}
      {trial !== undefined && <HookOutput trial={trial} onClose={() => setTrial(undefined)} />}
    </li>
  )
}
