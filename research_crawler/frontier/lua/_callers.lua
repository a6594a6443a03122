-- include: _jobs.lua
-- Who may ask a model for a job: the worker that has taken the job, or the node that leases the command whose id the
-- call's name starts with.
local function is_current(job, name, token)
  if has_job(job) and job ~= '' then
    local state = state_of(job)
    if state and FINAL[state] then return false end
    if state and job_field(job, '_token') == token then return true end
  end
  local id = string.match(name, '^([^:]*:[^:]*):')
  return id and owned(id, token) ~= nil and (job == '' or job_of(id) == job)
end
