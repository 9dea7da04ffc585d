import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { previewRules, why, whyIf } from '../../../api/access/rules.ts'

export function ruleRoutes(app: FastifyInstance, { services: { rules: service, users } }: Context): void {
  mount(app, why, async ({ actor, query: { user, action, path }, signal }) => {
    return await service.explain(actor, { userId: users.find(user).id, action, path }, signal)
  })

  mount(app, whyIf, async ({ actor, body: { user, action, path, supposed }, signal }) => {
    return await service.explain(actor, { userId: users.find(user).id, action, path, supposed }, signal)
  })

  mount(app, previewRules, async ({ actor, body: { rules, user }, signal }) => {
    const userId = user === undefined ? undefined : users.find(user).id
    return await service.preview(actor, { rules, userId }, signal)
  })
}
