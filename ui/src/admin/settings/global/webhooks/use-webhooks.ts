import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  addWebhook,
  changeWebhook,
  listWebhooks,
  removeWebhook,
  testWebhook,
} from '../../../../../../src/api/automation/webhooks.ts'
import type {
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookResult,
  WebhookWithSecret,
} from '../../../../../../src/domain/automation/webhook.ts'
import { POLL_INTERVAL, useClient } from '../../../../api/client.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { useToasts } from '../../../../kit/feedback/toast.tsx'
import { useAttempt } from '../../../forms/use-report-failure.ts'

export interface Webhooks {
  readonly list: readonly Webhook[]
  /** A secret that was just created, until it is dismissed. The server does not show it again. */
  readonly newSecret: string | undefined
  dismissSecret(): void
  /** @throws ApiError, which the form shows */
  add(webhook: NewWebhook): Promise<void>
  /** @throws ApiError, which the form shows */
  change(webhook: Webhook, change: WebhookChange): Promise<void>
  switchTo(webhook: Webhook, enabled: boolean): Promise<void>
  renewSecret(webhook: Webhook): Promise<void>
  remove(webhook: Webhook): Promise<void>
  /** Sends a ping. Undefined if the server refused; a toast shows why. */
  test(webhook: Webhook): Promise<WebhookResult | undefined>
}

/** Below "settings", so that changes by others appear. */
const QUERY = ['settings', 'webhooks']

export function useWebhooks(): Webhooks {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const { attempt } = useAttempt()
  const [newSecret, setNewSecret] = useState<string>()
  const { data } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => client.call(listWebhooks, { signal }),
    staleTime: 0,
    refetchInterval: POLL_INTERVAL,
    throwOnError: (_error, query) => query.state.data === undefined,
  })

  async function saved<T>(work: Promise<T>): Promise<T> {
    const result = await work
    await queries.invalidateQueries({ queryKey: QUERY })
    return result
  }
  const patch = async ({ id }: Webhook, body: WebhookChange): Promise<WebhookWithSecret> =>
    await client.call(changeWebhook, { params: { id }, body })

  return {
    list: data ?? [],
    newSecret,
    dismissSecret: () => setNewSecret(undefined),
    async add(webhook) {
      const { secret } = await saved(client.call(addWebhook, { body: webhook }))
      setNewSecret(secret)
      toasts.success(t('webhooks.added'))
    },
    async change(webhook, change) {
      await saved(patch(webhook, change))
    },
    async switchTo(webhook, enabled) {
      await attempt(async () => await saved(patch(webhook, { enabled })))
    },
    async renewSecret(webhook) {
      const renewed = await attempt(async () => await saved(patch(webhook, { newSecret: true })))
      if (renewed !== undefined) setNewSecret(renewed.secret)
    },
    async remove({ id }) {
      await attempt(async () => {
        await saved(client.call(removeWebhook, { params: { id } }))
        toasts.success(t('webhooks.removed'))
      })
    },
    test: async ({ id }) => await attempt(async () => await saved(client.call(testWebhook, { params: { id } }))),
  }
}
