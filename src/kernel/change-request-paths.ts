export interface ChangeRequestPaths {
  readonly proposals: (project: string, environment: string) => string
  readonly changeRequest: (project: string, id: number) => string
}

export function createChangeRequestPaths(basePath: string): ChangeRequestPaths {
  const projectPath = (project: string) => `${basePath}/projects/${encodeURIComponent(project)}`
  return {
    proposals: (project, environment) =>
      `${projectPath(project)}/environments/${encodeURIComponent(environment)}/change-requests`,
    changeRequest: (project, id) => `${projectPath(project)}/change-requests/${id}`,
  }
}
