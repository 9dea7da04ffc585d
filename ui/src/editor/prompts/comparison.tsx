import { useEffect, useRef, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { aceWords } from '../ace-words.ts'
import { createComparison } from '../ace/create-comparison.ts'
import { useAceThemeName } from '../use-ace-theme-name.ts'
import styles from './comparison.module.css'

interface ComparisonProps {
  /** Tells the language. */
  readonly name: string
  readonly theirs: string
  readonly mine: string
}

/** Two texts side by side, one above the other on narrow screens; what differs is marked and they scroll together. */
export function Comparison({ name, theirs, mine }: ComparisonProps) {
  const t = useText()
  const theme = useAceThemeName()
  const theirBox = useRef<HTMLDivElement>(null)
  const myBox = useRef<HTMLDivElement>(null)
  const [words] = useState(() => aceWords(t))
  const labels = { theirs: t('editor.theirs'), mine: t('editor.mine') }
  useEffect(() => {
    if (theirBox.current === null || myBox.current === null) return
    const boxes = { theirs: theirBox.current, mine: myBox.current }
    const sides = { theirs: labels.theirs, mine: labels.mine }
    return createComparison(boxes, { name, theme, theirs, mine, labels: sides, words })
  }, [labels.mine, labels.theirs, mine, name, theirs, theme, words])
  return (
    <div className={styles['both']}>
      <div className={styles['side']}>
        <h3>{labels.theirs}</h3>
        <div ref={theirBox} className={styles['text']} dir="ltr" />
      </div>
      <div className={styles['side']}>
        <h3>{labels.mine}</h3>
        <div ref={myBox} className={styles['text']} dir="ltr" />
      </div>
    </div>
  )
}
