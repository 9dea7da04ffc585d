import { listBranding, removeBranding } from '../../api/settings/branding.ts'
import { uploadBrandingAsOperator } from '../../api/settings/operator.ts'
import { handler } from '../handler.ts'

export const brandingHandlers = {
  list: handler(listBranding, async ({ actor }, { services: { branding } }) => await branding.list(actor)),

  remove: handler(removeBranding, async ({ actor, params: { name } }, { services: { branding } }) => {
    await branding.remove(actor, name)
  }),

  uploadAsOperator: handler(
    uploadBrandingAsOperator,
    async ({ actor, params: { name }, body }, { services: { branding } }) => {
      await branding.put(actor, name, body)
      return await branding.list(actor)
    },
  ),
}
