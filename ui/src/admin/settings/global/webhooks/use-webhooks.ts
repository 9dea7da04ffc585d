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

/** Below "settings", so that changes by others appear. */
const QUERY = ['settings', 'webhooks']

export function useWebhooks() {
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
    /** A secret that was just created, until it is dismissed. The server does not show it again. */
    newSecret,
    dismissSecret: () => setNewSecret(undefined),
    /** @throws ApiError, which the form shows */
    async add(webhook: NewWebhook) {
      const { secret } = await saved(client.call(addWebhook, { body: webhook }))
      setNewSecret(secret)
      toasts.success(t('webhooks.added'))
    },
    /** @throws ApiError, which the form shows */
    async change(webhook: Webhook, change: WebhookChange) {
      await saved(patch(webhook, change))
    },
    async switchTo(webhook: Webhook, enabled: boolean) {
      await attempt(async () => await saved(patch(webhook, { enabled })))
    },
    async renewSecret(webhook: Webhook) {
      const renewed = await attempt(async () => await saved(patch(webhook, { newSecret: true })))
      if (renewed !== undefined) setNewSecret(renewed.secret)
    },
    async remove({ id }: Webhook) {
      await attempt(async () => {
        await saved(client.call(removeWebhook, { params: { id } }))
        toasts.success(t('webhooks.removed'))
      })
    },
    /** Sends a ping. Undefined if the server refused; a toast shows why. */
    test: async ({ id }: Webhook): Promise<WebhookResult | undefined> =>
      await attempt(async () => await saved(client.call(testWebhook, { params: { id } }))),
  }
}

export type Webhooks = ReturnType<typeof useWebhooks>
