import type { ReactNode } from 'react'
import type { FactorsView } from '../../../../../src/domain/accounts/factors.ts'
import type { Confirmation } from '../../../../../src/domain/accounts/passkey-messages.ts'
import { lazyPrompt, usePrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { useReportProblem } from './use-factors.ts'

const ConfirmFactor = lazyPrompt(async () => (await import('./confirm-factor-prompt.tsx')).ConfirmFactorPrompt)

interface Question<Result> {
  readonly title: string
  readonly text?: ReactNode
  readonly label: string
  readonly danger?: boolean
  /** Asks even if the server asks for nothing. */
  readonly always?: boolean
  readonly send: (proof: Confirmation) => Promise<Result>
}

/** Sends a change of the factors with what confirms it. Resolves with the reply; undefined if it was cancelled or has failed. */
export function useConfirmedFactor(view: FactorsView) {
  const ask = usePrompt()
  const report = useReportProblem()
  return async <Result>({
    always = false,
    send,
    ...question
  }: Question<Result>): Promise<{ value: Result } | undefined> => {
    let reply: { value: Result } | undefined
    const keep = async (proof: Confirmation): Promise<void> => {
      reply = { value: await send(proof) }
    }
    if (view.confirmsBy.length > 0 || always)
      await ask(ConfirmFactor, { ...question, ways: view.confirmsBy, send: keep })
    else await keep({}).catch(report)
    return reply
  }
}
