import type { ReactNode } from 'react'
import { useText } from '../i18n/use-text.tsx'
import { type Problem, problemOf, problemText, wordsOf } from './problem-text.ts'
import styles from './refusal.module.css'

/** For models, which are written without JSX. */
export function refusalOf(error: unknown): ReactNode {
  return <Refusal problem={problemOf(error)} />
}

interface RefusalProps {
  readonly problem: Problem
}

/** Why the server has refused something. What it says itself, in English, is behind "Details", unless input is to be corrected by it. */
export function Refusal({ problem }: RefusalProps) {
  const t = useText()
  const words = wordsOf(problem)
  return (
    <div>
      {problemText(t, problem)}
      {words !== undefined && (
        <details className={styles['details']} open={problem.code === 'INVALID_INPUT'}>
          <summary>{t('details.title')}</summary>
          <span lang="en" dir="auto">
            {words}
          </span>
        </details>
      )}
    </div>
  )
}
